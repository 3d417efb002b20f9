extension DaemonSettings {
    /// The daemon's log about itself, on standard error.
    public struct Log: Hashable, Sendable {
        /// What is said at least.
        public var level: Level

        /// The least important messages that are logged.
        public enum Level: String, CaseIterable, Sendable {
            /// What keeps the daemon from its work.
            case error
            /// And what goes wrong with jobs.
            case warning
            /// And what the daemon does by itself.
            case notice
            /// And every event.
            case info
            /// And what helps those who look for mistakes.
            case debug
        }
    }
}

extension DaemonSettings.Log {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        level = try reader.value(Keys.level)
    }
}
