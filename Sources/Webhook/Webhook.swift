import Glibc
import JobCore
import Logging
import Synchronization

/// Tells a receiver what jobs come to, by HTTP: in order, and at least once.
///
/// A thread of its own sends; nothing waits for it but its own stop, which takes no longer than a second.
public final class Webhook: Sendable {
    private let waker = WebhookWaker()
    private let current = Mutex(WebhookStatus())
    private let source: WebhookSource
    private let file: WebhookFile
    private let logger: Logger
    private let whenStarted: @Sendable (Webhook) -> Void
    private let hasStarted = Mutex(false)

    /// A webhook that nothing is set for yet.
    ///
    /// - Parameters:
    ///   - path: The file that keeps how far it is.
    ///   - logger: Where it says what goes wrong.
    ///   - whenStarted: Called once, when there is something to deliver to for the first time.
    ///   - source: Says what has ended.
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

    /// Begins to deliver on a thread that ends after ``stop()``; false where there can be none.
    private func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread,
            nil,
            { context in
                if let context { Unmanaged<Webhook>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            },
            context.toOpaque()
        )
        guard result == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Delivers by these settings from now on, nil for not at all; what was stopped or put off goes on at once.
    ///
    /// Without any there is no thread, and nothing is kept.
    public func configure(_ configuration: WebhookConfiguration?) {
        let (isFirst, isRunning) = hasStarted.withLock { hasStarted in
            let before = hasStarted
            hasStarted = before || configuration != nil
            return (!before && hasStarted, hasStarted)
        }
        guard isRunning else { return file.remove() }
        waker.tell { $0.configuration = .some(configuration) }
        guard isFirst else { return }
        guard start() else {
            return logger.error("the webhook can't be started: there are no threads left")
        }
        whenStarted(self)
    }

    /// Something has ended.
    public func somethingEnded() { waker.tell { $0.hasEndings = true } }

    /// Ends the thread; what was not taken is kept.
    public func stop() { waker.stop() }

    /// How delivery is.
    public var status: WebhookStatus { current.withLock { $0 } }

    private func run() {
        guard let sender = WebhookSender(waker) else {
            logger.error("the webhook can't be started: libcurl has no memory")
            return
        }
        var loop = WebhookLoop(file: file, logger: logger)
        while !waker.isStopped {
            let now = Self.now()
            loop.take(waker.take(), now: now)
            let step = loop.step(now: now)
            current.withLock { $0 = loop.status(now: now) }
            switch step {
            case .read(let after, let endings): ask(endings, after: after)
            case .send(let request, let configuration):
                guard let answer = sender.send(request, by: configuration) else { return }
                loop.answered(answer, now: Self.now())
            case .wait(let seconds): sender.wait(seconds: seconds)
            }
        }
    }

    /// Has the answer put into the mail.
    private func ask(_ endings: [String], after: Int64) {
        Task { [source, waker] in
            do {
                let page = try await source(endings, after, WebhookRequest.maximumCount)
                waker.tell { $0.page = .success(page) }
            } catch {
                waker.tell { $0.page = .failure(WebhookReadFailure(reason: "\(error)")) }
            }
        }
    }

    /// Seconds of a clock that goes on while the machine sleeps.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
