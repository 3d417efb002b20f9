import Dispatch
import Synchronization

/// The line that `systemctl status` shows, updated at a limited rate.
///
/// A new text is sent at most once per interval, and only if it differs from the last one.
final class StatusLine: Sendable {
    private let pace: Mutex<StatusPace>
    private let send: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "facefetch.status-line")

    /// Creates a line with an initial text.
    ///
    /// - Parameters:
    ///   - text: The initial text, which has been sent already.
    ///   - milliseconds: The minimum time between two texts.
    ///   - send: Sends a text.
    init(text: String, milliseconds: Int = 1000, send: @escaping @Sendable (String) -> Void) {
        pace = Mutex(StatusPace(text: text, nanoseconds: UInt64(milliseconds) * 1_000_000))
        self.send = send
    }

    /// The current text, which may not have been sent yet.
    var text: String { pace.withLock { $0.wanted } }

    /// Sets the text, to be sent now or when the last one has stood long enough.
    func show(_ text: String) {
        let time = pace.withLock { $0.show(text, now: DispatchTime.now().uptimeNanoseconds) }
        guard let time else { return }
        queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) { [self] in
            let text = pace.withLock { $0.due(now: DispatchTime.now().uptimeNanoseconds) }
            if let text { send(text) }
        }
    }
}
