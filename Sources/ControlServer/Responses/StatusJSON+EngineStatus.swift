import ControlAPI
import JobCore
import JobEngine
import SourceEngine

extension StatusJSON {
    /// Creates the JSON of the engine's status.
    init(
        _ status: EngineStatus,
        version: String,
        isStopping: Bool,
        mayChange: Bool,
        webhook: WebhookStatus,
        reporting: ReportingStatus,
        sources: [SourceSnapshot],
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
                rateLimitUntil: status.rateLimitUntil?.wall.rfc3339
            ),
            detection: Detection(
                gate: .known(status.detectionGateOpen ? .open : .held),
                active: status.activeDetections,
                waiting: status.waitingDetections,
                engine: status.detectionEngine.map { APIWord($0) }
            ),
            disk: Disk(freeBytes: status.freeBytes),
            holds: status.holds.map {
                Hold(kind: .known(.init($0.kind)), reason: $0.reason, until: $0.until?.wall.rfc3339)
            },
            mayChange: mayChange,
            store: status.store.isEmpty ? nil : status.store,
            webhook: Webhook(webhook, now: now),
            reporting: Reporting(reporting),
            sources: Sources { state in sources.count { $0.condition.rawValue == state.rawValue } }
        )
    }
}

extension StatusJSON.Reporting {
    /// Puts the state of error reports into the words of the API.
    init(_ status: ReportingStatus) {
        let state: State =
            switch status.state {
            case .off: .off
            case .delivering: .delivering
            case .waiting: .waiting
            }
        self.init(
            state: .known(state),
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
            state: .known(State(status.state)),
            lag: status.lag,
            lastError: status.lastError,
            until: status.wait.map { now.adding(seconds: $0).wall.rfc3339 }
        )
    }
}

extension StatusJSON.Webhook.State {
    /// Puts the state of a webhook into the words of the API.
    init(_ state: WebhookStatus.State) {
        switch state {
        case .off: self = .off
        case .delivering: self = .delivering
        case .waiting: self = .waiting
        case .stopped: self = .stopped
        }
    }
}
