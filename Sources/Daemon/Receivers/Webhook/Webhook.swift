import JobModel
import Logging

/// Tells a receiver by HTTP what becomes of jobs, in order and at least once.
public final class Webhook: Sendable {
    /// The thread that delivers.
    let thread: FollowerThread<WebhookLoop>

    /// Creates a webhook without a configuration.
    ///
    /// - Parameters:
    ///   - path: The path of the file that keeps its progress.
    ///   - logger: The logger for its own troubles.
    ///   - endings: The endings that it reports.
    public init(path: String, logger: Logger, endings: FollowedEndings<WebhookItem>) {
        let file = FollowerFile(path: path)
        thread = FollowerThread(
            .init(name: "ff-webhook", lack: "the webhook can't be started"),
            logger: logger,
            following: endings,
            file: file,
            idle: WebhookStatus()
        ) { ask in WebhookLoop(file: file, logger: logger, ask: ask) }
    }

    /// Sets the configuration, nil to stop delivering: then nothing is kept.
    ///
    /// The first one starts the thread, and begins with what ends from then on or where the last run of the daemon was.
    /// Each further one has whatever was stopped or delayed tried at once.
    public func configure(_ configuration: WebhookConfiguration?) { thread.configure(configuration) }

    /// Has the thread end, without waiting for that; a request that is under way is given up at once, and kept for the
    /// next run like all that weren't accepted.
    public func stop() { thread.stop() }

    /// The state of delivery.
    public var status: WebhookStatus { thread.status }
}
