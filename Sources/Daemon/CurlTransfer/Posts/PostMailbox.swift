import CCurl
import Synchronization

/// The mailbox of a thread that posts, with the means to wake it.
public final class PostMailbox<Mail: Sendable>: Sendable {
    private struct State {
        var mail: Mail
        var isStopped = false
        /// The address of the multi handle.
        ///
        /// Other threads may only call curl_multi_wakeup with it, and only while this is set.
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
            Self.wake(state.multi)
        }
    }

    /// Asks the thread to end.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            Self.wake(state.multi)
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

    private static func wake(_ address: UInt?) {
        if let address, let multi = UnsafeMutableRawPointer(bitPattern: address) {
            _ = curl_multi_wakeup(multi)
        }
    }
}

/// A mailbox of any kind, as whoever sends sees it.
protocol PostWakeable: AnyObject, Sendable {
    var isStopped: Bool { get }
    func attach(_ multi: UnsafeMutableRawPointer?)
}

extension PostMailbox: PostWakeable {}
