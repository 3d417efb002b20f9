import JobModel

extension DaemonSettings {
    /// Settings of where faults of the daemon itself are reported.
    public struct Reporting: Hashable, Sendable {
        /// The receiver; nil if nothing is reported, or ``dsnFile`` names it.
        public var address: ReportAddress?
        /// The file with the receiver's DSN; nil for none.
        public var dsnFile: String?
    }
}

extension DaemonSettings.Reporting {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        address = try reader.value(Keys.reportingDSN)
        dsnFile = try reader.value(Keys.reportingDSNFile)
    }
}
