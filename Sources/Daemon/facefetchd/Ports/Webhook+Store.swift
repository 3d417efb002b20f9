import ControlServer
import JobEngine
import JobModel
import JobStore
import Logging
import Vocabulary
import Webhook

extension Webhook {
    /// A webhook that reports what the store has, when events say that there is something.
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
            whenStarted: { webhook in
                events.followEndings { [weak webhook] in webhook?.somethingEnded() }
            }
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
