extension DaemonSettings {
    /// The disk that documents go to.
    public struct Disk: Hashable, Sendable {
        /// Bytes that stay free.
        public var reserve: Int64
    }
}

extension DaemonSettings.Disk {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        reserve = try reader.value(Keys.reserve)
    }
}
