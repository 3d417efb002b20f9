import Glibc

/// An operating system thread for work that blocks for its whole life.
public struct BlockingThread: Sendable {
    private let id: pthread_t

    /// The work, which the new thread is handed.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that runs a function; whoever starts it calls ``detach()`` once, or joins it.
    ///
    /// - Throws: ``CurlTransferError/thread(_:)`` if the system starts none: the function isn't called.
    public init(run: @escaping @Sendable () -> Void) throws(CurlTransferError) {
        let body = Unmanaged.passRetained(Body(run))
        var id = pthread_t()
        let result = pthread_create(
            &id,
            nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            },
            body.toOpaque()
        )
        guard result == 0 else {
            body.release()
            throw .thread(String(cString: strerror(result)))
        }
        self.id = id
    }

    /// True if the caller is running on this thread.
    var isCurrent: Bool { pthread_equal(id, pthread_self()) != 0 }

    /// Gives up the thread, whose resources go with its end: nothing more can be asked of it.
    public func detach() { pthread_detach(id) }

    /// Waits for the thread to end; on the thread itself, only detaches it.
    func join() {
        if isCurrent {
            detach()
        } else {
            pthread_join(id, nil)
        }
    }
}
