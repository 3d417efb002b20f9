import CurlTransfer
import Glibc
import JobModel
import Logging
import Synchronization

/// Tells a receiver by HTTP what becomes of jobs, in order and at least once.
///
/// It sends on a thread of its own, for which nothing waits.
public final class Webhook: Sendable {
    private let waker = PostMailbox(WebhookMail())
    private let current = Mutex(WebhookStatus())
    private let source: WebhookSource
    private let file: WebhookFile
    private let logger: Logger
    private let whenStarted: @Sendable (Webhook) -> Void
    private let hasStarted = Mutex(false)

    /// Creates a webhook without a configuration.
    ///
    /// - Parameters:
    ///   - path: The path of the file that keeps its progress.
    ///   - logger: The logger for its own troubles.
    ///   - whenStarted: Called once, with the first configuration.
    ///   - source: Returns endings.
    public init(
        path: String,
        logger: Logger,
        whenStarted: @escaping @Sendable (Webhook) -> Void = { _ in },
        source: @escaping WebhookSource
    ) {
        file = WebhookFile(path: path)
        self.logger = logger
        self.whenStarted = whenStarted
        self.source = source
    }

    /// Sets the configuration, nil to stop delivering.
    ///
    /// Whatever was stopped or delayed is tried at once. Without a configuration there is no thread, and
    /// nothing is kept.
    public func configure(_ configuration: WebhookConfiguration?) {
        let (isFirst, isRunning) = hasStarted.withLock { hasStarted in
            let before = hasStarted
            hasStarted = before || configuration != nil
            return (!before && hasStarted, hasStarted)
        }
        guard isRunning else { return file.remove() }
        waker.post { $0.configuration = .some(configuration) }
        guard isFirst else { return }
        guard PostThread.start({ [self] in run() }) else {
            return logger.error("the webhook can't be started: there are no threads left")
        }
        whenStarted(self)
    }

    /// Notes that a job may have ended.
    public func somethingEnded() { waker.post { $0.hasEndings = true } }

    /// Ends the thread; requests that weren't accepted are kept.
    public func stop() { waker.stop() }

    /// The state of delivery.
    public var status: WebhookStatus { current.withLock { $0 } }

    private func run() {
        guard let sender = PostSender(waker) else {
            logger.error("the webhook can't be started: libcurl has no memory")
            return
        }
        var loop = WebhookLoop(file: file, logger: logger)
        while !waker.isStopped {
            let now = PostThread.now()
            loop.handle(waker.drain(), now: now)
            let step = loop.step(now: now)
            current.withLock { $0 = loop.status(now: now) }
            switch step {
            case .read(let after, let endings): ask(endings, after: after)
            case .send(let request, let configuration):
                let post = request.post(by: configuration, now: Int64(time(nil)))
                if let answer = sender.send(post) {
                    loop.answered(WebhookMachine.Answer(answer), now: PostThread.now())
                }
            case .wait(let seconds): sender.wait(seconds: seconds)
            }
        }
        loop.finish(now: PostThread.now())
    }

    /// Asks for endings, which are posted to the thread.
    private func ask(_ endings: [String], after: Int64) {
        Task { [source, waker] in
            do {
                let page = try await source(endings, after, WebhookRequest.maximumCount)
                waker.post { $0.page = .success(page) }
            } catch {
                waker.post { $0.page = .failure(WebhookReadFailure(reason: "\(error)")) }
            }
        }
    }
}

/// Mail that was posted to the webhook's thread since it last looked.
struct WebhookMail: Sendable {
    /// Notes that a job may have ended.
    var hasEndings = false
    /// The new configuration, if it has changed; nil inside means that there is to be no webhook.
    var configuration: WebhookConfiguration??
    /// The endings, if the thread has asked for them.
    var page: Result<WebhookPage, WebhookReadFailure>?
}

/// The endings couldn't be read.
struct WebhookReadFailure: Error {
    /// The reason.
    var reason: String
}
