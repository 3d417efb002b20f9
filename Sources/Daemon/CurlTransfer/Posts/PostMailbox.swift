import Synchronization

/// The mailbox of a thread that posts, with the means to wake it.
public final class PostMailbox<Mail: Sendable>: Sendable {
    private struct State {
        var mail: Mail
        var isStopped = false
        /// The address of the multi handle, as a number; only while it is set may it be woken.
        var multi: UInt?
    }

    private let empty: Mail
    private let state: Mutex<State>

    /// Creates a mailbox, given what it holds when there is nothing in it.
    public init(_ empty: Mail) {
        self.empty = empty
        state = Mutex(State(mail: empty))
    }

    /// True if the thread is to end.
    public var isStopped: Bool { state.withLock(\.isStopped) }

    /// Posts something, and wakes the thread.
    public func post(_ change: (inout Mail) -> Void) {
        state.withLock { state in
            change(&state.mail)
            MultiHandle.wake(state.multi)
        }
    }

    /// Asks the thread to end.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            MultiHandle.wake(state.multi)
        }
    }

    /// Removes and returns everything that was posted.
    public func drain() -> Mail {
        state.withLock { state in
            defer { state.mail = empty }
            return state.mail
        }
    }

    /// Sets the handle to wake, or nil before it is destroyed.
    ///
    /// Only the thread itself may call this.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        let address = multi.map { UInt(bitPattern: $0) }
        state.withLock { $0.multi = address }
    }
}

/// A mailbox of any kind, as whoever sends sees it.
protocol PostWakeable: AnyObject, Sendable {
    var isStopped: Bool { get }
    func attach(_ multi: UnsafeMutableRawPointer?)
}

extension PostMailbox: PostWakeable {}
