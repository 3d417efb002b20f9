extension DaemonSettings {
    /// Places that list pictures.
    public struct Sources: Hashable, Sendable {
        /// The directory of recipes that are applied at the start and with each reload.
        public var directory: String
    }

    /// A folder whose files are added.
    public struct Watch: Hashable, Sendable {
        /// The folder; nil for none.
        public var directory: String?
    }

    /// Keys for other people's servers.
    public struct Secrets: Hashable, Sendable {
        /// The directory of secrets, a file each.
        public var directory: String
    }
}

extension DaemonSettings.Sources {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader, places: Places) {
        directory = reader.path(Keys.sourcesDirectory, fallback: places.sources)
    }
}

extension DaemonSettings.Watch {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        directory = try reader.value(Keys.watchDirectory)
    }
}

extension DaemonSettings.Secrets {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader, places: Places) {
        directory = reader.path(Keys.secretsDirectory, fallback: places.secrets)
    }
}
