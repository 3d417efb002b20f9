import ControlAPI
import Vocabulary

/// Formats the daemon's status for people.
enum StatusPage {
    /// Returns the lines to print, each beginning with its label.
    static func lines(_ status: StatusJSON, socketPath: String) -> [String] {
        let detection = status.detection
        let lines: [(label: String, text: String)] =
            [
                (
                    "Daemon",
                    "\(status.state.text) for \(Quantities.duration(status.uptime)), version \(status.version), at \(socketPath)"
                ),
                ("Jobs", jobs(status.jobs)),
                (
                    "Transfers",
                    "\(status.transfers.active) active, \(Quantities.rate(status.transfers.bytesPerSecond))"
                        + limit(status.transfers)
                ),
                (
                    "Detection",
                    "\(detection.gate.text), \(detection.active) active, \(Quantities.grouped(detection.waiting)) waiting"
                ),
                ("Engine", EngineWords.line(detection) ?? "not known yet"),
                ("Free space", status.disk.freeBytes.map(Quantities.bytes) ?? "unknown"),
            ] + sources(status.sources) + webhook(status.webhook) + reporting(status.reporting)
            + (status.holds ?? []).map { ("Waiting", hold($0)) }
        return lines.map { "\($0.label.padded(to: 12))\($0.text.safeForTerminal)" }
    }

    /// Returns the reason why something waits, and until when, if somebody knows.
    static func hold(_ hold: StatusJSON.Hold) -> String {
        hold.reason + (hold.until.map { " (until \(LocalTime.full($0)))" } ?? "")
    }

    /// Returns words for the limit on transfers, and until when it holds.
    private static func limit(_ transfers: StatusJSON.Transfers) -> String {
        guard let limit = transfers.rateLimit else { return "" }
        let until = transfers.rateLimitUntil.map { " until \(LocalTime.full($0))" } ?? ""
        return ", at most \(Quantities.rate(Double(limit)))\(until)"
    }

    /// The number of sources in each state, if there are any.
    private static func sources(_ sources: StatusJSON.Sources?) -> [(label: String, text: String)] {
        guard let sources else { return [] }
        let parts = SourceCondition.allCases.filter { sources[$0] > 0 }.map {
            "\(sources[$0]) \($0.rawValue)"
        }
        return parts.isEmpty ? [] : [("Sources", parts.joined(separator: ", "))]
    }

    /// Returns rows about the webhook's delivery, where there is one.
    private static func webhook(_ webhook: StatusJSON.Webhook?) -> [(label: String, text: String)] {
        guard let webhook, webhook.state != .off else { return [] }
        let behind = webhook.lag > 0 ? ", \(Quantities.grouped(webhook.lag)) behind" : ""
        let until = webhook.until.map { " until \(LocalTime.clock($0))" } ?? ""
        let error = webhook.lastError.map { ": \($0)" } ?? ""
        return [("Webhook", webhook.state.text + until + behind + error)]
    }

    /// Returns rows about the reports of the daemon's own faults, where they are sent.
    private static func reporting(_ reporting: StatusJSON.Reporting?) -> [(label: String, text: String)] {
        guard let reporting, reporting.state != .off else { return [] }
        let dropped = reporting.dropped > 0 ? ", \(Quantities.grouped(reporting.dropped)) dropped" : ""
        let error = reporting.lastError.map { ": \($0)" } ?? ""
        return [
            (
                "Reports",
                "\(reporting.state.text), \(Quantities.grouped(reporting.sent)) sent\(dropped)\(error)"
            )
        ]
    }

    /// The counts by state, in the order of a job's life, without zeros.
    static func jobs(_ counts: JobCountsJSON) -> String {
        let others = counts.keys.filter { $0.known == nil }.sorted { $0.text < $1.text }
        let parts = (JobState.allCases.map(APIWord.known) + others).compactMap { state in
            counts[state].flatMap { $0 > 0 ? "\(Quantities.grouped($0)) \(state.text)" : nil }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}
