import JobModel

/// A timetable's rule for downloads at a moment, and the end of its validity.
public struct Hours: Hashable, Sendable {
    /// A limit on downloads.
    public enum Rule: Hashable, Sendable {
        /// Downloads as fast as other limits let them be.
        case unlimited
        /// All downloads together at this many bytes per second.
        case atMost(Int64)
        /// No downloads.
        case pause
    }

    /// The rule that applies now.
    public var rule: Rule
    /// The time of the next change of the rule, by the wall clock; nil if it never changes.
    public var until: Timestamp?

    public init(rule: Rule, until: Timestamp? = nil) {
        self.rule = rule
        self.until = until
    }

    /// The rate in bytes per second, if there is one.
    public var rate: Int64? {
        if case .atMost(let rate) = rule { rate } else { nil }
    }
}
