import ControlServer
import JobCore
import JobEngine
import JobStore
import Logging
import Webhook

extension Webhook {
    /// A webhook that tells of what the store has, when events say that there is something.
    convenience init(
        _ store: JobStore,
        _ events: EventBus,
        stateDirectory: String,
        logger: Logger,
        now: @escaping @Sendable () -> Moment
    ) {
        self.init(
            path: stateDirectory + "/webhook",
            logger: logger,
            whenStarted: { $0.follow(events) }
        ) { endings, after, limit in
            let wanted = endings.compactMap(JobEnding.init(rawValue:))
            let page = try await store.endings(
                EndingQuery(Set(wanted), endedAfter: after, limit: limit)
            )
            let now = now()
            return WebhookPage(
                items: page.items.map { WebhookItem($0, now: now) },
                total: page.total,
                oldest: page.oldest,
                newest: page.newest
            )
        }
    }

    /// Listens for what may be an ending, until the bus ends.
    private func follow(_ events: EventBus) {
        let subscription = events.subscribe()
        Task { [weak self] in
            var items = subscription.makeAsyncIterator()
            while true {
                let pieces = await items.nextPieces()
                guard !pieces.isEmpty, let self else { return }
                if pieces.contains(where: { $0.contains(where: \.mayBeEnding) }) { somethingEnded() }
            }
        }
    }
}

extension WebhookItem {
    /// An ending as the API has it.
    init(_ ended: EndedJob, now: Moment) {
        self.init(
            number: ended.number,
            ending: ended.ending.rawValue,
            job: ended.job.id.rawValue,
            time: ended.ending == .stored ? nil : ended.job.finishedAt?.wall.rfc3339,
            json: ended.json(now: now)
        )
    }
}

extension EventBus.Item {
    /// Whether a job may have come to something with it.
    fileprivate var mayBeEnding: Bool {
        switch self {
        case .missed: true
        case .progress: false
        case .event(let event):
            switch event.kind {
            case .started, .progressed, .received, .resumed, .restarted, .finished, .waiting, .paused,
                .continued,
                .detectionStarted, .detectionDeferred:
                false
            default: true
            }
        }
    }
}
