extension DaemonSettings {
    /// Settings of what is kept of jobs that have ended.
    public struct Jobs: Hashable, Sendable {
        /// The seconds for which they are kept; nil for ever.
        public var keep: Double?
    }
}

extension DaemonSettings.Jobs {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        keep = try reader.value(Keys.keep)
    }
}
