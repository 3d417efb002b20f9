import CCurl
import Synchronization

/// The mailbox of the webhook's thread, with the means to wake it.
final class WebhookWaker: Sendable {
    /// What was posted since the thread last looked.
    struct Mail: Sendable {
        /// Notes that a job may have ended.
        var hasEndings = false
        /// The new configuration, if it has changed; nil inside means that there is to be no webhook.
        var configuration: WebhookConfiguration??
        /// The endings, if the thread has asked for them.
        var page: Result<WebhookPage, WebhookReadFailure>?
    }

    private struct State {
        var mail = Mail()
        var isStopped = false
        /// The address of the multi handle.
        ///
        /// Other threads may only call curl_multi_wakeup with it, and only while this is set.
        var multi: UInt?
    }

    private let state = Mutex(State())

    /// Whether the thread is to end.
    var isStopped: Bool { state.withLock(\.isStopped) }

    /// Posts something, and wakes the thread.
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

    /// Takes everything that was posted.
    func take() -> Mail {
        state.withLock { state in
            defer { state.mail = Mail() }
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

/// The endings couldn't be read.
struct WebhookReadFailure: Error {
    /// The reason.
    var reason: String
}
