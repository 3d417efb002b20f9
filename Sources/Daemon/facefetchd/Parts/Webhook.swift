import ControlServer
import JobEngine
import JobModel
import Receivers
import Settings
import Vocabulary

extension Webhook: Part {
    /// A webhook that reports what the store has, when events say that there is something.
    convenience init(on ground: Ground) {
        let (store, events, now) = (ground.store, ground.engine.events, ground.now)
        self.init(
            path: ground.settings.paths.state + "/webhook",
            logger: ground.logger,
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

    func configure(_ settings: DaemonSettings) throws(StartFailure) -> Change? {
        let delivery = try settings.webhookDelivery()
        return { self.configure(delivery) }
    }

    func show(in configuration: inout ControlServerConfiguration) {
        configuration.webhook = { self.status }
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
