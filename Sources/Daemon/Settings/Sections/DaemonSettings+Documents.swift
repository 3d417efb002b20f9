import JobModel

extension DaemonSettings {
    /// The room that documents may take, and what is written beside them.
    public struct Documents: Hashable, Sendable {
        /// The kind of sidecar.
        public var sidecar: Sidecar

        /// The most bytes of documents that may be removed to make room, all together; nil for any number.
        public var maximumSize: Int64?

        /// The folders of documents for which none was asked for.
        public var layout: DocumentLayout

        /// The time that documents have.
        public var times: Times

        /// The treatment of names whose extension doesn't fit the content.
        public var extensions: Extensions

        /// A time that documents have.
        public enum Times: String, CaseIterable, Sendable {
            /// That of the last change on the server, where it is known.
            case server
            /// That of arrival.
            case arrival
        }

        /// A treatment of names whose extension doesn't fit the content.
        public enum Extensions: String, CaseIterable, Sendable {
            /// Pictures get the right one, unless somebody gave the name.
            case adjust
            /// They stay as they are.
            case keep
        }

        /// A kind of sidecar.
        public enum Sidecar: String, CaseIterable, Sendable {
            /// No sidecars.
            case none
            /// XMP, as photo programs read it.
            case xmp
        }
    }
}

extension DaemonSettings.Documents {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        let maximum = try reader.value(Keys.documentSpace)
        maximumSize = maximum > 0 ? maximum : nil
        layout = try reader.value(Keys.layout)
        sidecar = try reader.value(Keys.sidecar)
        times = try reader.value(Keys.documentTimes)
        extensions = try reader.value(Keys.documentExtensions)
    }
}
