import ArgumentParser

/// Prints the fleet's figures for Prometheus.
struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the figures of the fleet as a whole, in the OpenMetrics format.",
        discussion: """
            For one machine of the fleet: a timer writes it to a file that the node exporter reads, and moves that to \
            its name when it is whole. Each agent writes its own figures (metrics in fleet.yaml).
            """
    )

    @OptionGroup var config: ConfigOptions

    func run() throws {
        let status = try asked { try config.queue().status() }
        try Output.bytes(Array(FleetFigures.text(status).utf8))
    }
}

/// The fleet's figures as text.
enum FleetFigures {
    /// Returns the figures in the text format of OpenMetrics 1.0.
    static func text(_ status: FleetQueue.Status) -> String {
        var text = ""
        func gauge(_ name: String, _ help: String, _ samples: [(labels: String, value: Double)]) {
            let name = "facefetch_fleet_" + name
            text += "# TYPE \(name) gauge\n# HELP \(name) \(help)\n"
            for (labels, value) in samples {
                let number = Int64(exactly: value).map { "\($0)" } ?? "\(value)"
                text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(number)\n"
            }
        }
        func single(_ name: String, _ help: String, _ value: Double) { gauge(name, help, [("", value)]) }
        single("queue_jobs", "Jobs that haven't ended and aren't paused.", Double(status.queue))
        single("paused_jobs", "Jobs that are paused.", Double(status.paused))
        single("results", "Jobs that have ended and aren't forgotten.", Double(status.results))
        single(
            "poison_jobs",
            "Jobs with which nodes have ended more often than by chance.",
            Double(status.poison)
        )
        single(
            "ended_last_minute",
            "Jobs that were done or failed within the last minute.",
            Double(status.lastMinute)
        )
        single("oldest_seconds", "The age of the oldest job's batch.", status.oldestSeconds ?? 0)
        single("held", "Whether everything is held.", status.heldSince == nil ? 0 : 1)
        let waited = status.waited.map { [(#"of="p50""#, $0.p50), (#"of="p99""#, $0.p99)] }
        gauge(
            "waited_seconds",
            "The time since they were added of jobs that were done or failed in the last minute.",
            waited ?? []
        )
        let nodes = status.nodes.map { (label: "of=\"\(escaped($0.name))\"", node: $0) }
        gauge(
            "node_up",
            "Whether a node's lease runs.",
            nodes.map { ($0.label, ($0.node.lease ?? -1) > 0 ? 1 : 0) }
        )
        gauge(
            "node_rests",
            "Whether a node has given its buckets up.",
            nodes.map { ($0.label, $0.node.resting == nil ? 0 : 1) }
        )
        gauge("node_buckets", "Buckets that a node owns.", nodes.map { ($0.label, Double($0.node.buckets)) })
        gauge("node_jobs", "Jobs that a node holds.", nodes.map { ($0.label, Double($0.node.jobs)) })
        return text + "# EOF\n"
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : $0.isNewline ? "\\n" : "\($0)" }.joined()
    }
}
