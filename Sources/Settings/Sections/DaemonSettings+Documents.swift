import JobCore

extension DaemonSettings {
    /// The room that documents may take, and what is written beside them.
    public struct Documents: Hashable, Sendable {
        /// The kind of sidecar.
        public var sidecar: Sidecar

        /// The most bytes of documents that may be removed to make room, all together; nil for any number.
        public var maximumSize: Int64?

        /// The folders of documents for which none was asked for.
        public var layout: DocumentLayout

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
    }
}
