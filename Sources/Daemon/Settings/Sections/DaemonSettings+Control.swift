import Glibc

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

extension DaemonSettings.Group {
    /// Looks up a group by its name or its number; nil if there is none.
    init?(named name: String) {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        // Groups with very many members need more space than sysconf suggests.
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let status = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
        if status == 0, found != nil {
            self.init(name: name, id: entry.gr_gid)
        } else if let number = UInt32(name) {
            self.init(name: name, id: number)
        } else {
            return nil
        }
    }
}
