import JobModel
import Synchronization
import Vocabulary

/// The queue of other threads' requests to the transfer thread, with the means to wake it.
final class TransferMailbox: Sendable {
    /// A request.
    enum Message: Sendable {
        case start([TransferRequest])
        case stop([JobID])
        case recall([JobID])
        case confirm([JobID])
        case synced(JobID, crew: Int, errorNumber: Int32)
        case reconfigure(CurlTransferConfiguration)
        case limitRate(Int64?)
        case release(host: String)
        case hold(@Sendable () -> Void)
        case goOn
        case answer(@Sendable () -> Void)
    }

    /// The requests taken out together.
    struct Contents {
        var messages: [Message] = []
        var isShutDown = false
    }

    private struct State {
        var contents = Contents()
        /// The address of the multi handle, as a number; only while it is set may it be woken.
        var multiAddress: UInt?
    }

    private let state = Mutex(State())

    /// Sends a request, waking the transfer thread if it may be asleep; returns false after the end.
    @discardableResult
    func send(_ message: Message) -> Bool {
        state.withLock { state in
            guard !state.contents.isShutDown else { return false }
            state.contents.messages.append(message)
            // The sender of the first message has already woken the thread.
            if state.contents.messages.count == 1 { MultiHandle.wake(state.multiAddress) }
            return true
        }
    }

    /// Requests the end; waiting requests are dropped.
    func shutDown() {
        state.withLock { state in
            state.contents.messages = []
            state.contents.isShutDown = true
            MultiHandle.wake(state.multiAddress)
        }
    }

    /// Removes and returns all waiting requests; only for the transfer thread.
    func drain() -> Contents {
        state.withLock { state in
            let contents = state.contents
            state.contents.messages = []
            return contents
        }
    }

    /// Sets the handle to wake, or nil when it is about to go; only for the transfer thread.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        let address = multi.map { UInt(bitPattern: $0) }
        state.withLock { $0.multiAddress = address }
    }

    /// True if the transfer thread has created its handle.
    var isAttached: Bool { state.withLock { $0.multiAddress != nil } }
}
