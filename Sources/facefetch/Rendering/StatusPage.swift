import ControlAPI

/// The daemon's state, for people.
enum StatusPage {
    /// The lines to print, each with its label in front.
    static func lines(_ status: StatusJSON, socketPath: String) -> [String] {
        let detection = status.detection
        let lines: [(label: String, text: String)] =
            [
                (
                    "Daemon",
                    "\(status.state) for \(Quantities.duration(status.uptime)), version \(status.version), at \(socketPath)"
                ),
                ("Jobs", jobs(status.jobs)),
                (
                    "Transfers",
                    "\(status.transfers.active) active, \(Quantities.rate(status.transfers.bytesPerSecond))"
                ),
                (
                    "Detection",
                    "\(detection.gate), \(detection.active) active, \(Quantities.grouped(detection.waiting)) waiting"
                ),
                ("Free space", status.disk.freeBytes.map(Quantities.bytes) ?? "unknown"),
            ] + (status.holds ?? []).map { ("Waiting", $0.reason) }
        return lines.map { "\($0.label.padded(to: 12))\($0.text.safeForTerminal)" }
    }

    /// The counts by state, in the order of a job's life, without those that are none.
    static func jobs(_ counts: [String: Int]) -> String {
        let known = JobStateName.allCases.map(\.rawValue)
        let others = counts.keys.filter { !known.contains($0) }.sorted()
        let parts = (known + others).compactMap { state in
            counts[state].flatMap { $0 > 0 ? "\(Quantities.grouped($0)) \(state)" : nil }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}
