extension DaemonSettings {
    /// The control socket.
    public struct Control: Hashable, Sendable {
        /// The group whose members may connect; nil leaves the socket to the daemon's own group.
        public var group: Group?
        /// The group whose members may change things; nil allows everyone who can connect.
        public var writeGroup: Group?
    }

    /// An existing group of users.
    public struct Group: Hashable, Sendable {
        /// The group's name.
        public var name: String
        /// The group's id.
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
