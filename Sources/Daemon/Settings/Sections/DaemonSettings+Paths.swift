extension DaemonSettings {
    /// The absolute paths of the daemon's files.
    public struct Paths: Hashable, Sendable {
        /// The directory of the store and the partials.
        public var state: String
        /// The directory of the finished files.
        public var documents: String
        /// The control socket.
        public var socket: String
        /// The event log.
        public var eventLog: String
    }
}

extension DaemonSettings.Paths {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader, places: Places) {
        state = reader.path(Keys.state, fallback: places.state)
        documents = reader.path(Keys.documents, fallback: places.documents)
        socket = reader.path(Keys.socket, fallback: places.socket)
        eventLog = reader.path(Keys.eventLog, fallback: places.eventLog)
    }
}

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
