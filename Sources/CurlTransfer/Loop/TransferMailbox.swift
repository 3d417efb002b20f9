import CCurl
import JobCore
import Synchronization

/// The requests of other threads to the transfer thread, and the means to wake it.
final class TransferMailbox: Sendable {
    /// One thing asked for.
    enum Message: Sendable {
        case start([TransferRequest])
        case stop([JobID])
        case confirm([JobID])
        case synced(JobID, crew: Int, errorNumber: Int32)
        case reconfigure(CurlTransferConfiguration)
        case hold(@Sendable () -> Void)
        case goOn
        case answer(@Sendable () -> Void)
    }

    /// All that waited when the transfer thread looked.
    struct Contents {
        var messages: [Message] = []
        var isShutDown = false
    }

    private struct State {
        var contents = Contents()
        /// Where the multi handle is, as a number: of all its functions only
        /// curl_multi_wakeup may be called here, and only while this is set.
        var multiAddress: UInt?
    }

    private let state = Mutex(State())

    /// Asks for something, and wakes the transfer thread if it may be asleep; false after the end.
    @discardableResult
    func send(_ message: Message) -> Bool {
        state.withLock { state in
            guard !state.contents.isShutDown else { return false }
            state.contents.messages.append(message)
            // Whoever put in the first message has woken the thread already.
            if state.contents.messages.count == 1 { Self.wake(state.multiAddress) }
            return true
        }
    }

    /// Asks for the end; messages that wait are dropped.
    func shutDown() {
        state.withLock { state in
            state.contents.messages = []
            state.contents.isShutDown = true
            Self.wake(state.multiAddress)
        }
    }

    /// Takes out everything that waits; for the transfer thread only.
    func drain() -> Contents {
        state.withLock { state in
            let contents = state.contents
            state.contents.messages = []
            return contents
        }
    }

    /// Says which handle to wake, or with nil that it is about to go; for the transfer thread only.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        let address = multi.map { UInt(bitPattern: $0) }
        state.withLock { $0.multiAddress = address }
    }

    /// Whether the transfer thread has its handle.
    var isAttached: Bool { state.withLock { $0.multiAddress != nil } }

    private static func wake(_ address: UInt?) {
        if let address, let multi = UnsafeMutableRawPointer(bitPattern: address) {
            _ = curl_multi_wakeup(multi)
        }
    }
}
