extension DaemonSettings {
    /// The documents' disk.
    public struct Disk: Hashable, Sendable {
        /// The bytes to keep free.
        public var reserve: Int64
    }
}

extension DaemonSettings.Disk {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        reserve = try reader.value(Keys.reserve)
    }
}
