extension DaemonSettings {
    /// The daemon's log about itself, on standard error.
    public struct Log: Hashable, Sendable {
        /// The least important level that is logged.
        public var level: Level
        /// The bytes from which downloads have a line for every ten percent.
        public var stepsFrom: Int64

        /// The least important messages that are logged.
        public enum Level: String, CaseIterable, Sendable {
            /// Problems that keep the daemon from working.
            case error
            /// The above, and problems of jobs.
            case warning
            /// The above, and what the daemon does by itself.
            case notice
            /// The above, and all events.
            case info
            /// The above, and details for finding bugs.
            case debug
        }
    }
}

extension DaemonSettings.Log {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        level = try reader.value(Keys.level)
        stepsFrom = try reader.value(Keys.stepsFrom)
    }
}
