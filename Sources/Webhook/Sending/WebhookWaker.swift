import CCurl
import Synchronization

/// What other threads tell the webhook's, and the means to wake it.
final class WebhookWaker: Sendable {
    /// What came since the thread looked last.
    struct Mail: Sendable {
        /// Something has ended.
        var hasEndings = false
        /// How things are set now, where that has changed: nil inside for no webhook.
        var configuration: WebhookConfiguration??
        /// What had ended, where that was asked for.
        var page: Result<WebhookPage, WebhookReadFailure>?
    }

    private struct State {
        var mail = Mail()
        var isStopped = false
        /// Where the multi handle is, as a number: only curl_multi_wakeup may be called by others, and only
        /// while this is set.
        var multi: UInt?
    }

    private let state = Mutex(State())

    /// Whether the thread is to end.
    var isStopped: Bool { state.withLock(\.isStopped) }

    /// Tells something, and wakes the thread.
    func tell(_ change: (inout Mail) -> Void) {
        state.withLock { state in
            change(&state.mail)
            Self.wake(state.multi)
        }
    }

    /// Asks the thread to end.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            Self.wake(state.multi)
        }
    }

    /// Takes out what came.
    func take() -> Mail {
        state.withLock { state in
            defer { state.mail = Mail() }
            return state.mail
        }
    }

    /// Says which handle to wake, or with nil that it is about to go; for the thread only.
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

/// Why it could not be found out what had ended.
struct WebhookReadFailure: Error {
    /// The reason.
    var reason: String
}
