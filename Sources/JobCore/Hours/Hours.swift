/// What a timetable says about downloads at a moment.
public struct Hours: Hashable, Sendable {
    /// What is allowed.
    public enum Rule: Hashable, Sendable {
        /// Downloads as fast as other limits let them be.
        case unlimited
        /// All downloads together at this many bytes per second.
        case atMost(Int64)
        /// No downloads.
        case pause
    }

    /// What is allowed now.
    public var rule: Rule
    /// When something else is allowed, by the wall clock; nil if that never comes.
    public var until: Timestamp?

    /// Creates a statement.
    public init(rule: Rule, until: Timestamp? = nil) {
        self.rule = rule
        self.until = until
    }

    /// The rate in bytes per second, if there is one.
    public var rate: Int64? {
        if case .atMost(let rate) = rule { rate } else { nil }
    }
}
