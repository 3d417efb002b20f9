extension DaemonSettings {
    /// Settings of what is posted to a receiver.
    public struct Webhook: Hashable, Sendable {
        /// The receiver's URL; nil if nothing is posted.
        public var url: String?
        /// The endings that are posted.
        public var endings: [Ending]
        /// The file with the secrets that sign; nil for none.
        public var secretFile: String?

        /// Endings of a job.
        public enum Ending: String, CaseIterable, Sendable {
            /// Its document is published.
            case stored
            /// Its document has been looked at.
            case done
            /// It has ended without a document.
            case failed
            /// A person has ended it.
            case cancelled
        }
    }
}

extension DaemonSettings.Webhook {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        url = try reader.value(Keys.webhookURL)
        endings = try reader.value(Keys.webhookEndings)
        secretFile = try reader.value(Keys.webhookSecretFile)
    }
}
