import CLinux
import CurlTransfer
import Dispatch
import Logging
import Synchronization

/// A follower's work between two waits.
protocol FollowerLoop: SendableMetatype {
    /// Settings with which there is something to do.
    associatedtype Configuration: Sendable
    /// News that other threads post.
    associatedtype News: Sendable
    /// The follower's state, for people.
    associatedtype Status: Sendable

    /// Handles what other threads have posted.
    mutating func handle(_ mail: FollowerMail<Configuration, News>, now: Double)
    /// Takes the next step, or says what comes next.
    mutating func step(now: Double) -> FollowerStep
    /// Handles the answer to the request that was sent.
    mutating func answered(_ answer: PostAnswer, now: Double)
    /// Keeps what is to be kept, before the thread ends.
    mutating func finish(now: Double)
    /// The state between two steps.
    func status(now: Double) -> Status
}

/// The step that a follower's thread takes next.
enum FollowerStep {
    /// Ask for the next step: one has been taken.
    case goOn
    /// Send this request.
    case send(PostRequest)
    /// Wait for mail, but at most this many seconds; nil for no limit.
    case wait(seconds: Double?)
}

/// Mail that was posted to a follower's thread since it last looked.
struct FollowerMail<Configuration: Sendable, News: Sendable>: Sendable {
    /// The new configuration, if it has changed; nil inside means that there is nothing to do.
    var configuration: Configuration??
    /// The news.
    var news: News
    /// Those who wait until all this is dealt with, as far as nothing outside is waited for.
    fileprivate var waiters: [DispatchSemaphore] = []
}

/// The thread of a follower, which nobody waits for but whoever flushes or ends it.
///
/// It begins with the first configuration; if it can't, then with the next one. Each follower has its own, since each
/// waits for something else, a receiver or a disk, which holds up no other.
final class FollowerThread<Loop: FollowerLoop>: Sendable {
    typealias Mailbox = PostMailbox<FollowerMail<Loop.Configuration, Loop.News>>
    /// Runs a function on a thread of its own.
    typealias Start = @Sendable (_ run: @escaping @Sendable () -> Void) throws(CurlTransferError) -> Void

    /// The properties in which one follower's thread differs from another's.
    struct Kind: Sendable {
        /// The thread's name, of at most 15 bytes.
        var name: String
        /// The thread's niceness.
        var niceness: Int32 = 0
        /// True if mail is handled while an answer is waited for.
        var readsWhileSending = false
        /// The beginning of a sentence that says that there is no such thread.
        var lack: String
        /// Starts the thread.
        var start: Start = { run throws(CurlTransferError) in try BlockingThread(run: run).detach() }
    }

    private let kind: Kind
    private let logger: Logger
    private let mailbox: Mailbox
    private let current: Mutex<Loop.Status>
    /// True from a start of the thread on, unless it could do nothing.
    private let hasStarted = Mutex(false)
    private let running = DispatchGroup()
    private let begin: @Sendable (Mailbox) -> Loop
    private let whenOff: @Sendable () -> Void
    private let creation = ContinuousClock.now

    /// Creates a follower without a configuration, and without a thread.
    ///
    /// - Parameters:
    ///   - nothing: News of nothing.
    ///   - idle: The state of a follower that does nothing.
    ///   - whenOff: Removes what an earlier run has kept, where this one has nothing to do.
    ///   - begin: Returns the thread's work, and is called by it.
    init(
        _ kind: Kind,
        logger: Logger,
        nothing: Loop.News,
        idle: Loop.Status,
        whenOff: @escaping @Sendable () -> Void,
        begin: @escaping @Sendable (Mailbox) -> Loop
    ) {
        (self.kind, self.logger, self.whenOff, self.begin) = (kind, logger, whenOff, begin)
        mailbox = Mailbox(FollowerMail(news: nothing))
        current = Mutex(idle)
    }

    /// Sets the configuration, nil for nothing to do.
    func configure(_ configuration: Loop.Configuration?) {
        let isNeeded = hasStarted.withLock { hasStarted in
            guard hasStarted || configuration != nil else { return false }
            mailbox.post { $0.configuration = .some(configuration) }
            if !hasStarted { hasStarted = start() }
            return true
        }
        if !isNeeded { whenOff() }
    }

    /// Starts the thread; returns false if there can be none.
    private func start() -> Bool {
        running.enter()
        do throws(CurlTransferError) { try kind.start { [self] in run() } } catch {
            running.leave()
            complain(error)
            return false
        }
        return true
    }

    private func complain(_ error: CurlTransferError) {
        logger.error("\(kind.lack): \(error); then reload the settings")
    }

    /// Posts news, if there is a thread to read them.
    func post(_ change: (inout Loop.News) -> Void) {
        guard hasStarted.withLock({ $0 }) else { return }
        mailbox.post { change(&$0.news) }
    }

    /// The latest state.
    var status: Loop.Status { current.withLock { $0 } }

    /// Waits until what was posted is dealt with, as far as nothing outside is waited for, but not for long.
    func flush(for patience: DispatchTimeInterval) {
        guard hasStarted.withLock({ $0 }) else { return }
        let done = DispatchSemaphore(value: 0)
        mailbox.post { $0.waiters.append(done) }
        _ = done.wait(timeout: .now() + patience)
    }

    /// Asks the thread to end after the step that it is at.
    func stop() { mailbox.stop() }

    /// Waits until the thread has ended, but not for long.
    func waitForEnd(for patience: DispatchTimeInterval) { _ = running.wait(timeout: .now() + patience) }

    /// Waits until the thread has ended.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            running.notify(queue: .global()) { continuation.resume() }
        }
    }

    /// Seconds of a clock that continues while the machine is suspended.
    private var now: Double { (.now - creation) / .seconds(1) }

    private func run() {
        CLinux_begin_thread(kind.name, kind.niceness)
        defer { running.leave() }
        let sender: PostSender
        do throws(CurlTransferError) { sender = try PostSender(mailbox) } catch {
            hasStarted.withLock { $0 = false }
            return complain(error)
        }
        var loop = begin(mailbox)
        var waiters: [DispatchSemaphore] = []
        while !mailbox.isStopped {
            read(&loop, &waiters)
            let step = loop.step(now: now)
            if case .goOn = step { continue }
            show(loop, to: &waiters)
            switch step {
            case .goOn: break
            case .send(let request):
                let answer = sender.send(request) {
                    guard kind.readsWhileSending else { return }
                    read(&loop, &waiters)
                    show(loop, to: &waiters)
                }
                if let answer { loop.answered(answer, now: now) }
            case .wait(let seconds): sender.wait(seconds: seconds)
            }
        }
        read(&loop, &waiters)
        loop.finish(now: now)
        show(loop, to: &waiters)
    }

    private func read(_ loop: inout Loop, _ waiters: inout [DispatchSemaphore]) {
        let mail = mailbox.drain()
        waiters += mail.waiters
        loop.handle(mail, now: now)
    }

    /// Shows the state, and then wakes those who have waited, who see all of it.
    private func show(_ loop: Loop, to waiters: inout [DispatchSemaphore]) {
        let status = loop.status(now: now)
        current.withLock { $0 = status }
        for waiter in waiters { waiter.signal() }
        waiters = []
    }
}
