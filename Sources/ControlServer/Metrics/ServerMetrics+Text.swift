import JobCore
import JobEngine

extension ServerMetrics {
    /// All that is known now, as OpenMetrics text.
    func text(_ status: EngineStatus, connections: Int, followers: Int, more: String) -> String {
        let counts = current
        var out = OpenMetricsText()
        addEngine(status, to: &out)
        addEvents(counts, to: &out)
        addControl(counts, connections: connections, followers: followers, to: &out)
        out.append(more)
        return out.closed
    }

    private func addEngine(_ status: EngineStatus, to out: inout OpenMetricsText) {
        out.family(
            "facefetch_start_time_seconds",
            .gauge,
            unit: "seconds",
            help: "When the daemon started, Unix time.",
            [.init(Double(status.startedAt.microseconds) / 1_000_000)]
        )
        out.family(
            "facefetch_jobs",
            .gauge,
            help: "Jobs by state.",
            JobState.allCases.map { .init("state", $0.rawValue, status.jobsByState[$0] ?? 0) }
        )
        out.family(
            "facefetch_transfers_active",
            .gauge,
            help: "Transfers under way.",
            [.init(Double(status.activeTransfers))]
        )
        out.family(
            "facefetch_transfer_rate_bytes_per_second",
            .gauge,
            unit: "bytes_per_second",
            help: "What the transfers fetch together.",
            [.init(status.bytesPerSecond)]
        )
        out.family(
            "facefetch_detection_gate_open",
            .gauge,
            help: "1 when documents are looked at as they arrive.",
            [.init(status.detectionGateOpen ? 1 : 0)]
        )
        out.family(
            "facefetch_detections_active",
            .gauge,
            help: "Documents that detectors are looking at.",
            [.init(Double(status.activeDetections))]
        )
        out.family(
            "facefetch_detections_waiting",
            .gauge,
            help: "Documents that wait for a detector.",
            [.init(Double(status.waitingDetections))]
        )
        if let free = status.freeBytes {
            out.family(
                "facefetch_disk_free_bytes",
                .gauge,
                unit: "bytes",
                help: "Free where the documents are.",
                [.init(Double(free))]
            )
        }
    }

    private func addEvents(_ counts: Counts, to out: inout OpenMetricsText) {
        func counter(_ name: String, _ label: String, _ values: [String: Int], help: String) {
            out.family(
                name,
                .counter,
                help: help,
                values.sorted { $0.key < $1.key }.map { .init(label, $0.key, $0.value) }
            )
        }
        counter("facefetch_events", "kind", counts.events, help: "Events since the start, by kind.")
        counter("facefetch_retries", "reason", counts.retries, help: "Tries that another follows, by reason.")
        counter("facefetch_failures", "code", counts.failures, help: "Jobs that failed, by code.")
        counter(
            "facefetch_detections",
            "outcome",
            counts.detections,
            help: "Detections that ended, by outcome."
        )
        out.family("facefetch_faces", .counter, help: "Faces counted.", [.init(Double(counts.faces))])
        out.family(
            "facefetch_events_uncounted",
            .counter,
            help: "Times that these counts lost some events.",
            [.init(Double(counts.missed))]
        )
    }

    private func addControl(
        _ counts: Counts,
        connections: Int,
        followers: Int,
        to out: inout OpenMetricsText
    ) {
        out.family(
            "facefetch_control_connections",
            .gauge,
            help: "Connections to the control socket.",
            [.init(Double(connections))]
        )
        out.family(
            "facefetch_event_followers",
            .gauge,
            help: "Clients that follow the events.",
            [.init(Double(followers))]
        )
        out.family(
            "facefetch_control_requests",
            .counter,
            help: "Requests answered, by status.",
            counts.requests.sorted { $0.key < $1.key }.map { .init("status", "\($0.key)", $0.value) }
        )
        var samples: [OpenMetricsText.Sample] = []
        var sum = 0
        for (bound, count) in zip(Self.bounds, counts.requestTimes) {
            sum += count
            samples.append(.init(suffix: "_bucket", labels: [("le", "\(bound)")], value: Double(sum)))
        }
        let all = Double(counts.requests.values.reduce(0, +))
        samples.append(.init(suffix: "_bucket", labels: [("le", "+Inf")], value: all))
        samples.append(.init(suffix: "_count", value: all))
        samples.append(.init(suffix: "_sum", value: counts.requestSeconds))
        out.family(
            "facefetch_control_request_duration_seconds",
            .histogram,
            unit: "seconds",
            help: "From a request's head to its answer.",
            samples
        )
    }
}
