extension DaemonSettings {
    /// A line of the timetable: from a time on, on certain days, something is allowed.
    public struct TimetableEntry: Hashable, Sendable {
        /// A rule of what is allowed.
        public enum Rule: Hashable, Sendable {
            /// No limit but the others'.
            case off
            /// This many bytes per second.
            case rate(Int64)
            /// No downloads.
            case pause
        }

        /// The days, counted from 0 for Monday, ascending.
        public var days: [Int]
        /// The minute of the day.
        public var minute: Int
        /// The rule that holds until the next line's time.
        public var rule: Rule
    }
}
