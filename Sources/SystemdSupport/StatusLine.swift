import Dispatch
import Synchronization

/// The line that `systemctl status` shows, updated at a limited rate.
///
/// A new text is sent at most once per interval, and only if it differs from the last one.
public final class StatusLine: Sendable {
    private struct State {
        var wanted: String
        var sent: String
        /// The time until which nothing is sent.
        var quietUntil = DispatchTime(uptimeNanoseconds: 0)
        var isScheduled = false
    }

    private let state: Mutex<State>
    private let interval: DispatchTimeInterval
    private let send: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "facefetch.status-line")

    /// Creates a line with an initial text.
    ///
    /// - Parameters:
    ///   - text: The initial text, which has been sent already.
    ///   - milliseconds: The minimum time between two texts.
    ///   - send: Sends a text.
    public init(text: String, milliseconds: Int = 1000, send: @escaping @Sendable (String) -> Void) {
        state = Mutex(State(wanted: text, sent: text))
        interval = .milliseconds(milliseconds)
        self.send = send
    }

    /// The current text, which may not have been sent yet.
    public var text: String { state.withLock { $0.wanted } }

    /// Sets the text, to be sent now or when the last one has stood long enough.
    public func show(_ text: String) {
        let delay = state.withLock { state -> DispatchTime? in
            state.wanted = text
            guard text != state.sent, !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.quietUntil
        }
        if let delay { queue.asyncAfter(deadline: max(.now(), delay)) { [self] in sendWanted() } }
    }

    private func sendWanted() {
        let text = state.withLock { state -> String? in
            state.isScheduled = false
            guard state.wanted != state.sent else { return nil }
            state.sent = state.wanted
            state.quietUntil = .now() + interval
            return state.sent
        }
        if let text { send(text) }
    }
}
