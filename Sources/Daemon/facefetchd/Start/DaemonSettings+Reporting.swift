import ControlAPI
import JobModel
import Receivers
import Settings

extension DaemonSettings {
    /// Returns the configuration of error reports; nil if there are none.
    ///
    /// - Throws: ``StartFailure`` for a file with the receiver's DSN that can't be used.
    func errorReports() throws(StartFailure) -> ReportingConfiguration? {
        guard let address = try reportAddress() else { return nil }
        return ReportingConfiguration(
            address: address,
            deniedNetworks: try deniedRanges(),
            version: ProductVersion.current
        )
    }

    private func reportAddress() throws(StartFailure) -> ReportAddress? {
        guard let path = reporting.dsnFile else { return reporting.address }
        let file = SecretFile(key: "reporting.dsn-file", path: path)
        guard reporting.address == nil else {
            throw StartFailure(
                status: .badSettings,
                description: "reporting.dsn-file: reporting.dsn is set as well; remove one of them"
            )
        }
        let lines = try file.lines()
        guard lines.count == 1, let line = lines.first, let address = ReportAddress(line) else {
            throw file.failure(
                "must have one line with a DSN such as https://KEY@sentry.example.org/PROJECT; "
                    + "what it has is not shown, since it may hold a token"
            )
        }
        return address
    }
}
