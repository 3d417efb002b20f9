import JobModel
import Logging

/// Tells a receiver by HTTP what becomes of jobs, in order and at least once.
public final class Webhook: Sendable {
    private let thread: FollowerThread<WebhookLoop>

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

    /// Sets the configuration, nil to stop delivering.
    ///
    /// Whatever was stopped or delayed is tried at once. Without a configuration there is no thread, and
    /// nothing is kept.
    public func configure(_ configuration: WebhookConfiguration?) { thread.configure(configuration) }

    /// Ends the thread; requests that weren't accepted are kept.
    public func stop() { thread.stop() }

    /// The state of delivery.
    public var status: WebhookStatus { thread.status }
}
