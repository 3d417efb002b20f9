extension DaemonSettings {
    /// The control socket.
    public struct Control: Hashable, Sendable {
        /// Whose members may connect; nil leaves the socket to the daemon's own group.
        public var group: Group?
        /// Whose members may change things; nil lets everyone who can connect.
        public var writeGroup: Group?
    }

    /// A group of users that exists.
    public struct Group: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its number.
        public var id: UInt32
    }
}

extension DaemonSettings.Control {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        group = try reader.value(Keys.group)
        writeGroup = try reader.value(Keys.writeGroup)
    }
}
