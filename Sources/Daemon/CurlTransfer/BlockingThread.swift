import Glibc

/// An operating system thread for work that blocks for its whole life.
public struct BlockingThread: Sendable {
    private let id: pthread_t

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread, which is to be joined or detached.
    ///
    /// - Throws: ``CurlTransferError`` if there can be none.
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

    /// Has nobody wait for the thread's end.
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
