import FleetCore

/// Figures about what an agent has done since it began, for whoever watches it.
struct AgentFigures: Hashable, Sendable {
    /// The times that something took.
    struct Times: Hashable, Sendable {
        private(set) var count = 0
        private(set) var sum = Duration.zero

        /// Adds one more.
        mutating func add(_ time: Duration) { (count, sum) = (count + 1, sum + time) }
    }

    /// The node's present state.
    struct Standing: Hashable, Sendable {
        var held = 0
        var waiting = 0
        var buckets = 0
        /// The documents that are still to be uploaded.
        var uploads = 0
        /// The seconds until others may take over; 0 without a lease.
        var lease = 0
        /// The time since 1970, in seconds.
        var time = 0
    }

    /// The jobs claimed.
    var claimed = 0
    /// The jobs recorded, by how they ended.
    var done = 0
    var failed = 0
    /// The jobs given back.
    var returned = 0
    /// The items of the daemon's sources that were handed over, and those that the queue has refused.
    var fed = 0
    var refused = 0
    /// The endings that counted for nothing because others had taken the job over.
    var stale = 0
    /// The documents that stay although the database knows nothing of them.
    var unknown = 0
    /// The jobs that were paused or cancelled, or that others had taken over, while the node held them.
    var withdrawn = 0
    /// The number of times that others have taken over all that the node had.
    var fenced = 0
    /// The calls of the database and of the daemon that failed.
    var databaseFailures = 0
    var daemonFailures = 0
    /// The uploads that failed, to be tried again, and the bytes of the others.
    var uploadFailures = 0
    var uploadedBytes = 0
    /// The times that uploads took.
    var uploads = Times()
    /// The times that claims and reports took.
    var claims = Times()
    var reports = Times()

    /// Adds a report with what of it stands in the record.
    mutating func add(_ plan: ReportPlan, recorded: Set<FleetJob>) {
        for record in plan.records {
            if !recorded.contains(record.job) {
                stale += 1
            } else if record.state == .done {
                done += 1
            } else {
                failed += 1
            }
        }
        returned += plan.returned.count + plan.blamed.count
    }

    /// The figures in Prometheus' text format, version 0.0.4, as the node exporter reads it from files.
    func text(_ standing: Standing, node: String) -> String {
        var text = ""
        func family(_ name: String, _ kind: String, _ help: String, _ samples: [(String, Double)]) {
            text += "# HELP facefetch_fleet_\(name) \(help)\n# TYPE facefetch_fleet_\(name) \(kind)\n"
            for (labels, value) in samples {
                let number = Int64(exactly: value).map { "\($0)" } ?? "\(value)"
                text += "facefetch_fleet_\(name){node=\"\(Self.escaped(node))\"\(labels)} \(number)\n"
            }
        }
        func counter(_ name: String, _ help: String, _ value: Int) {
            family(name + "_total", "counter", help, [("", Double(value))])
        }
        func gauge(_ name: String, _ help: String, _ value: Int) {
            family(name, "gauge", help, [("", Double(value))])
        }
        gauge("held_jobs", "Jobs that the node holds.", standing.held)
        gauge("waiting_jobs", "Jobs that the node holds and that wait for their next try.", standing.waiting)
        gauge("buckets", "Buckets of hosts that the node owns.", standing.buckets)
        gauge("waiting_uploads", "Documents that are still to be uploaded to a bucket.", standing.uploads)
        gauge("lease_seconds", "Seconds until others may take over; 0 without a lease.", standing.lease)
        gauge("written_time_seconds", "When this was written, as Unix time.", standing.time)
        counter("claimed_jobs", "Jobs claimed.", claimed)
        family(
            "recorded_jobs_total",
            "counter",
            "Jobs recorded, by how they ended.",
            [(#",state="done""#, Double(done)), (#",state="failed""#, Double(failed))]
        )
        counter("returned_jobs", "Jobs given back.", returned)
        counter("fed_items", "Items of the daemon's sources handed over to the fleet.", fed)
        counter("refused_items", "Items of the daemon's sources that the fleet's queue has refused.", refused)
        counter("stale_endings", "Endings refused, because others had taken the job over.", stale)
        counter(
            "unknown_documents",
            "Documents that stay although the database knows nothing of them.",
            unknown
        )
        counter(
            "withdrawn_jobs",
            "Jobs paused, cancelled or taken over while the node held them.",
            withdrawn
        )
        counter("fenced", "How often others have taken over all that the node had.", fenced)
        family(
            "failures_total",
            "counter",
            "Calls that failed.",
            [
                (#",of="database""#, Double(databaseFailures)), (#",of="daemon""#, Double(daemonFailures)),
                (#",of="s3""#, Double(uploadFailures)),
            ]
        )
        counter("uploaded_bytes", "Bytes of documents uploaded to a bucket.", uploadedBytes)
        for (name, help, times) in [
            ("claim_seconds", "Time that claims took.", claims),
            ("report_seconds", "Time that reports took.", reports),
            ("upload_seconds", "Time that uploads to a bucket took.", uploads),
        ] {
            text += "# HELP facefetch_fleet_\(name) \(help)\n# TYPE facefetch_fleet_\(name) summary\n"
            let label = "{node=\"\(Self.escaped(node))\"}"
            text += "facefetch_fleet_\(name)_sum\(label) \(times.sum / .seconds(1))\n"
            text += "facefetch_fleet_\(name)_count\(label) \(times.count)\n"
        }
        return text
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined()
    }
}
