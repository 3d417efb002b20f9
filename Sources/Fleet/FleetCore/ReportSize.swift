/// The number of endings that are reported at once: fewer after each refusal, so that in the end only what is
/// refused is left out, and what takes too long together is recorded in parts.
public struct ReportSize: Hashable, Sendable {
    /// The verdict on a refusal.
    public enum Verdict: Hashable, Sendable {
        /// Report again, and fewer at once.
        case fewer
        /// This ending's own texts can't be stored: record it without them.
        case strip
        /// This ending is refused for something that isn't its own: report it again later.
        case later
    }

    /// The most endings that are reported at once.
    public static let most = 1000
    /// The time that an ending waits that was refused alone.
    public static let wait = Duration.seconds(30)

    /// The number of endings that are reported next.
    public private(set) var count = most

    /// Begins with the most.
    public init() {}

    /// Notes that a report was recorded.
    public mutating func succeeded() { count = min(Self.most, count * 2) }

    /// Notes that a report of so many was refused, or not answered in time (without a code).
    ///
    /// Only a refusal of values (class 22 of SQLSTATE, "data exception") says anything of them: whatever else
    /// there is, such as a time limit, a full disk or a deadlock, is over at some time.
    public mutating func refused(code: String?, reported: Int) -> Verdict {
        count = max(1, min(count, reported) / 2)
        guard reported <= 1 else { return .fewer }
        return code?.hasPrefix("22") == true ? .strip : .later
    }
}
