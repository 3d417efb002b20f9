import Dispatch
import Synchronization

/// The line that `systemctl status` shows, kept true without many words.
///
/// A new text is sent at most once in a while, and only when it differs from
/// the last; where nothing changes, nothing happens.
public final class StatusLine: Sendable {
    private struct State {
        var wanted: String
        var sent: String
        /// Until when nothing is sent.
        var quietUntil = DispatchTime(uptimeNanoseconds: 0)
        var isScheduled = false
    }

    private let state: Mutex<State>
    private let interval: DispatchTimeInterval
    private let send: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "facefetch.status-line")

    /// A line that says something already.
    ///
    /// - Parameters:
    ///   - text: What it says.
    ///   - milliseconds: The shortest time between two texts.
    ///   - send: Where texts go.
    public init(text: String, milliseconds: Int = 1000, send: @escaping @Sendable (String) -> Void) {
        state = Mutex(State(wanted: text, sent: text))
        interval = .milliseconds(milliseconds)
        self.send = send
    }

    /// What the line is to say; the text may not have been sent yet.
    public var text: String { state.withLock { $0.wanted } }

    /// Says something else, now or when the last text has stood long enough.
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
