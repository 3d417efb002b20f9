import JobModel

/// The settings of error reports.
extension Keys {
    static let reporting = [reportingDSN.row, reportingDSNFile.row]

    static let reportingDSN = SettingKey<ReportAddress?>(
        name: "reporting.dsn",
        type: "text",
        fallback: "",
        meaning:
            "Where to report faults of facefetch itself, such as a child that crashed, to a server that understands "
            + "Sentry's envelopes; empty to report nothing. Reports have no URL, name, path, user or host in them. "
            + "No proxy is used.",
        expected: "a DSN such as https://KEY@sentry.example.org/PROJECT",
        mayHoldToken: true
    ) { raw in
        guard let text = raw.text, !text.isEmpty else { return .some(nil) }
        return ReportAddress(text).map { .some($0) }
    }
    static let reportingDSNFile = path(
        "reporting.dsn-file",
        fallback: "",
        "A file with that DSN instead, which others must not be able to read.",
        needsRestart: false
    )
}
