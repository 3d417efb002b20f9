extension DaemonSettings {
    /// What is written beside documents.
    public struct Documents: Hashable, Sendable {
        /// The kind of sidecar.
        public var sidecar: Sidecar

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
        sidecar = try reader.value(Keys.sidecar)
    }
}
