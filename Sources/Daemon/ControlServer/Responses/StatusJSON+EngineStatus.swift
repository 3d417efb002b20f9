import ControlAPI
import JobEngine
import JobModel
import Vocabulary

extension StatusJSON {
    /// Creates the JSON of the engine's status.
    init(
        _ status: EngineStatus,
        version: String,
        isStopping: Bool,
        mayChange: Bool,
        webhook: WebhookStatus,
        reporting: ReportingStatus,
        sources: [SourceCondition],
        proxy: String?,
        detectionProblem: String?,
        now: Moment
    ) {
        self.init(
            version: version,
            state: .known(isStopping ? .stopping : status.isStarting ? .starting : .running),
            uptime: now.elapsed(since: status.startedAt),
            jobs: status.jobsByState.everyState,
            transfers: Transfers(
                active: status.activeTransfers,
                bytesPerSecond: status.bytesPerSecond,
                rateLimit: status.rateLimit,
                rateLimitUntil: status.rateLimitUntil?.wall.rfc3339,
                proxy: proxy
            ),
            detection: Detection(
                gate: .known(status.detectionGateOpen ? .open : .held),
                active: status.activeDetections,
                waiting: status.waitingDetections,
                engine: status.detectionEngine.map { APIWord($0) },
                hasNetwork: status.detectionEngines.contains { $0.needsModel },
                problem: detectionProblem
            ),
            disk: Disk(freeBytes: status.freeBytes, reserveBytes: status.reserveBytes),
            holds: status.holds.map {
                Hold(kind: .known($0.kind), reason: $0.reason, until: $0.until?.wall.rfc3339, host: $0.host)
            },
            mayChange: mayChange,
            store: status.store.isEmpty ? nil : status.store,
            webhook: Webhook(webhook, now: now),
            reporting: Reporting(reporting),
            sources: Sources { state in sources.count { $0 == state } }
        )
    }
}

extension StatusJSON.Reporting {
    /// Puts the state of error reports into the words of the API.
    init(_ status: ReportingStatus) {
        self.init(
            state: .known(status.state),
            sent: status.sent,
            dropped: status.dropped,
            lastError: status.lastError
        )
    }
}

extension StatusJSON.Webhook {
    /// Puts the state of delivery into the words of the API.
    init(_ status: WebhookStatus, now: Moment) {
        self.init(
            state: .known(status.state),
            lag: status.lag,
            lastError: status.lastError,
            until: status.wait.map { now.adding(seconds: $0).wall.rfc3339 }
        )
    }
}

extension HostJSON {
    /// Puts how a host stands into the words of the API.
    init(_ status: HostStatus) {
        self.init(
            host: status.host,
            active: status.active,
            queued: status.queued,
            waiting: status.waiting.map {
                WaitingJSON(kind: .known($0.kind), reason: $0.reason, until: $0.until?.wall.rfc3339)
            },
            pace: status.pace?.text,
            streams: status.streams
        )
    }
}
