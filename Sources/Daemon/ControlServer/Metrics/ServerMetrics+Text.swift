import ControlAPI
import JobEngine
import JobModel
import SourceEngine
import Vocabulary

extension ServerMetrics {
    /// Returns all current metrics as OpenMetrics text.
    func text(
        _ status: EngineStatus,
        version: String,
        connections: Int,
        followers: Int,
        detectors: DetectorPoolStatus?,
        webhook: WebhookStatus,
        reporting: ReportingStatus,
        sources: [SourceSnapshot],
        unreadSources: [SourceCondition],
        now: Moment
    ) -> String {
        let counts = current
        var out = OpenMetricsText()
        out.info("facefetch_build", help: "The version that is running.", [("version", version)])
        addEngine(status, to: &out)
        addEvents(counts, to: &out)
        addControl(counts, connections: connections, followers: followers, to: &out)
        addDurations(counts, to: &out)
        if let detectors { addDetectors(detectors, to: &out) }
        if webhook.state != .off { addWebhook(webhook, to: &out) }
        if reporting.state != .off { addReporting(reporting, to: &out) }
        if !sources.isEmpty || !unreadSources.isEmpty {
            out.addSources(sources, unread: unreadSources, now: now)
        }
        addProcess(ProcessFigures(), to: &out)
        return out.closed
    }

    private func addWebhook(_ webhook: WebhookStatus, to out: inout OpenMetricsText) {
        out.family(
            "facefetch_webhook_state",
            .gauge,
            help: "1 for the state that the webhook is in.",
            WebhookState.allCases.map { .init("state", $0.rawValue, webhook.state == $0 ? 1 : 0) }
        )
        out.family(
            "facefetch_webhook_lag",
            .gauge,
            help: "Endings that the webhook has not delivered yet; no more than 10,000 are counted.",
            [.init(Double(webhook.lag))]
        )
        out.family(
            "facefetch_webhook_delivered",
            .counter,
            help: "Endings that the receiver has taken.",
            [.init(Double(webhook.delivered))]
        )
        out.family(
            "facefetch_webhook_failures",
            .counter,
            help: "Requests that the receiver has not taken.",
            [.init(Double(webhook.failed))]
        )
        out.family(
            "facefetch_webhook_left_out",
            .counter,
            help: "Endings that were left out because the receiver refused them, and took later ones.",
            [.init(Double(webhook.leftOut))]
        )
    }

    private func addReporting(_ reporting: ReportingStatus, to out: inout OpenMetricsText) {
        out.family(
            "facefetch_reporting_state",
            .gauge,
            help: "1 for the state that error reports are in.",
            ReportingState.allCases.map {
                .init("state", $0.rawValue, reporting.state == $0 ? 1 : 0)
            }
        )
        out.family(
            "facefetch_reports_sent",
            .counter,
            help: "Error reports that the receiver has taken.",
            [.init(Double(reporting.sent))]
        )
        out.family(
            "facefetch_reports_dropped",
            .counter,
            help: "Faults that are not reported.",
            [.init(Double(reporting.dropped))]
        )
    }

    private func addEngine(_ status: EngineStatus, to out: inout OpenMetricsText) {
        out.family(
            "facefetch_start_time_seconds",
            .gauge,
            unit: "seconds",
            help: "The daemon's start, as Unix time.",
            [.init(Double(status.startedAt.wall.microseconds) / 1_000_000)]
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
            help: "The speed of all transfers together.",
            [.init(status.bytesPerSecond)]
        )
        out.family(
            "facefetch_received_bytes",
            .counter,
            unit: "bytes",
            help: "Bytes fetched since the start, including those fetched twice.",
            [.init(Double(status.receivedBytes))]
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
                help: "Free space on the disk that documents are on.",
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
        let events = counts.events.map { ($0.key.rawValue, $0.value) }
        counter(
            "facefetch_events",
            "kind",
            Dictionary(uniqueKeysWithValues: events),
            help: "Events since the start, by kind."
        )
        counter(
            "facefetch_retries",
            "reason",
            counts.retries,
            help: "Attempts that will be repeated, by reason."
        )
        counter("facefetch_failures", "code", counts.failures, help: "Jobs that failed, by code.")
        counter(
            "facefetch_detections",
            "outcome",
            counts.outcomes,
            help: "Detections that ended, by outcome."
        )
        out.family("facefetch_faces", .counter, help: "Faces counted.", [.init(Double(counts.faces))])
        out.family(
            "facefetch_events_uncounted",
            .counter,
            help: "How often these counts missed events.",
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
        out.histogram(
            "facefetch_control_request_duration_seconds",
            help: "From a request's head to its answer.",
            counts.requestTimes
        )
    }

    private func addDurations(_ counts: Counts, to out: inout OpenMetricsText) {
        out.histogram(
            "facefetch_download_duration_seconds",
            help: "From the start of a download to its last byte, waits included.",
            counts.downloadTimes
        )
        out.histogram(
            "facefetch_detection_duration_seconds",
            help: "From the start of a face detection to its end.",
            counts.detectionTimes
        )
        out.histogram(
            "facefetch_job_duration_seconds",
            help: "From the acceptance of a batch to the end of face detection in one of its documents.",
            counts.jobTimes
        )
    }

    private func addDetectors(_ pool: DetectorPoolStatus, to out: inout OpenMetricsText) {
        out.family(
            "facefetch_detector_processes",
            .gauge,
            help: "Detector processes by state.",
            [
                .init("state", "starting", pool.starting), .init("state", "idle", pool.idle),
                .init("state", "busy", pool.busy), .init("state", "ending", pool.ending),
            ]
        )
        out.family(
            "facefetch_detector_starts",
            .counter,
            help:
                "Detector processes started so far: for documents after idle times, and in place of others.",
            [.init(Double(pool.started))]
        )
    }

    private func addProcess(_ process: ProcessFigures, to out: inout OpenMetricsText) {
        out.family(
            "process_cpu_seconds",
            .counter,
            unit: "seconds",
            help: "Processor time of the daemon, without its detectors.",
            [.init(process.processorSeconds)]
        )
        if let bytes = process.residentBytes {
            out.family(
                "process_resident_memory_bytes",
                .gauge,
                unit: "bytes",
                help: "Memory of the daemon that is in use, without its detectors.",
                [.init(Double(bytes))]
            )
        }
        if let open = process.openDescriptors {
            out.family("process_open_fds", .gauge, help: "Open descriptors.", [.init(Double(open))])
        }
    }
}
