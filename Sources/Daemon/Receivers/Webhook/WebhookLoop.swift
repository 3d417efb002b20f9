import CurlTransfer
import Glibc
import JobModel
import Logging
import SmallFiles

/// The work of the webhook's thread between two waits, which drives the machine and keeps its state.
struct WebhookLoop: FollowerLoop {
    /// The seconds between two counts of the backlog while the webhook waits for its receiver.
    private static let countingPause = 5.0
    /// The seconds between two tries of what the disk or the store has refused.
    private static let retryPause = 10.0
    /// The seconds after which a cursor is kept that moved without a request.
    ///
    /// Until then, a kill costs nothing but reading again.
    private static let keepingPause = 5.0

    private let file: FollowerFile
    private let logger: Logger
    private let askStore: @Sendable (EndingQuery) -> Void
    private var configuration: WebhookConfiguration?
    private var machine: WebhookMachine?
    /// True if the file has yet to be read.
    private var isUnread = false
    /// The reason why what was kept is lost.
    private var loss: String?
    /// The reason why nothing can be done at present.
    private var obstacle: String?
    private var retry = -Double.infinity
    /// The number after which the store is being asked.
    private var asked: Int64?
    private var lag = 0
    private var hasNews = false
    private var lastCount = -Double.infinity
    /// The numbers of what was delivered, failed and left out.
    private var counts = WebhookStatus()
    private var isKept = true
    /// True if the cursor has moved without a request since it was kept.
    private var hasMoved = false
    private var lastKept = -Double.infinity
    private var lastComplaint: String?

    /// Creates a loop without a configuration, which asks for endings by a function.
    init(file: FollowerFile, logger: Logger, ask: @escaping @Sendable (EndingQuery) -> Void) {
        (self.file, self.logger, askStore) = (file, logger, ask)
    }

    mutating func handle(_ mail: FollowerMail<WebhookConfiguration, EndingNews<WebhookItem>>, now: Double) {
        if let configuration = mail.configuration { configure(configuration) }
        if mail.news.hasEndings {
            machine?.somethingEnded()
            hasNews = true
        }
        guard let page = mail.news.page else { return }
        let number = asked
        asked = nil
        switch page {
        case .success(let page): took(page, after: number)
        case .failure(let failure):
            machine?.readFailed("\(failure)", now: now)
            if machine == nil { waits(because: "\(failure)", now: now) }
        }
    }

    private mutating func configure(_ newer: WebhookConfiguration?) {
        configuration = newer
        guard newer != nil else {
            if machine != nil { logger.notice("the webhook is off") }
            (machine, isUnread, loss, obstacle) = (nil, false, nil, nil)
            file.remove()
            return
        }
        retry = -.infinity
        guard machine != nil else { return isUnread = true }
        machine?.goOn()
        isKept = false
    }

    /// Reads what was kept; returns false if it can't be read now.
    private mutating func begin(_ configuration: WebhookConfiguration, now: Double) -> Bool {
        let kept: FollowerFile.Kept<KeptWebhook>
        do throws(FileFailure) { kept = try file.read(atMost: KeptWebhook.longest, KeptWebhook.init) } catch {
            waits(because: "what is kept of the webhook can't be read: \(error)", now: now)
            return false
        }
        switch kept {
        case .none: break
        case .content(let kept):
            machine = kept.machine
            // A new receiver gets what the old one has refused.
            if kept.url != configuration.url { machine?.goOn() }
        case .damaged:
            do throws(FileFailure) { try file.setAside() } catch {
                waits(because: "\(file.path) is damaged, and can't be set aside: \(error)", now: now)
                return false
            }
            let lost = "\(file.path) is damaged, and was set aside as \(file.damagedPath)"
            logger.error("\(lost): the receiver is told of a gap, and gets what ends from now on")
            loss = lost
        }
        (isKept, hasMoved, isUnread) = (false, false, false)
        goesOn()
        return true
    }

    private mutating func waits(because reason: String, now: Double) {
        retry = now + Self.retryPause
        if reason != obstacle { logger.error("the webhook waits: \(reason)") }
        obstacle = reason
    }

    /// Notes that what could not be done has been done.
    private mutating func goesOn() {
        if obstacle != nil { logger.notice("the webhook goes on") }
        obstacle = nil
    }

    private mutating func took(_ page: FollowedPage<WebhookItem>, after number: Int64?) {
        guard let configuration, !isUnread else { return }
        guard var machine else {
            if let loss {
                self.machine = WebhookMachine(
                    lostBefore: page.newest,
                    because: loss,
                    source: configuration.source,
                    id: Self.newID()
                )
            } else {
                // The first delivery begins with what ends from now on.
                self.machine = WebhookMachine(cursor: page.newest)
            }
            (isKept, loss) = (false, nil)
            return goesOn()
        }
        // What was only counted, or is behind what the receiver has taken meanwhile, is asked for again.
        self.machine?.somethingEnded()
        guard number == machine.position else { return }
        lag = page.total
        guard machine.request == nil else { return }
        machine.read(page, source: configuration.source, id: Self.newID())
        isKept = isKept && machine.request == nil
        hasMoved = hasMoved || machine.position != number
        self.machine = machine
    }

    mutating func step(now: Double) -> FollowerStep {
        guard let configuration else { return .wait(seconds: nil) }
        guard now >= retry else { return .wait(seconds: retry - now) }
        if isUnread, !begin(configuration, now: now) { return .wait(seconds: Self.retryPause) }
        guard let machine else { return ask(after: 0) }
        if hasMoved, now - lastKept >= Self.keepingPause { isKept = false }
        // A request is kept before it is sent. Otherwise, it would be sent with another id after a kill.
        guard isKept || keep(now: now) else { return .wait(seconds: Self.retryPause) }
        switch machine.next(now: now) {
        case .read(let after): return ask(after: after)
        case .send(let request): return .send(request.post(by: configuration, now: Int64(time(nil))))
        case .wait(var seconds):
            if hasMoved { seconds = min(seconds ?? .infinity, lastKept + Self.keepingPause - now) }
            guard hasNews else { return .wait(seconds: seconds) }
            // Somebody may want to know the backlog, but counting it takes time.
            guard now - lastCount >= Self.countingPause else {
                return .wait(seconds: min(seconds ?? .infinity, lastCount + Self.countingPause - now))
            }
            (lastCount, hasNews) = (now, false)
            return ask(after: machine.position)
        }
    }

    private mutating func ask(after number: Int64) -> FollowerStep {
        guard asked == nil, let configuration else { return .wait(seconds: nil) }
        asked = number
        machine?.beginsReading()
        let most = WebhookRequest.maximumCount
        askStore(EndingQuery(configuration.endings, endedAfter: number, limit: most))
        return .goOn
    }

    mutating func finish(now: Double) {
        if hasMoved || !isKept { _ = keep(now: now) }
    }

    mutating func answered(_ answer: PostAnswer, now: Double) {
        let answer = WebhookMachine.Answer(answer)
        let count = machine?.request?.count ?? 0
        machine?.answered(answer, now: now)
        if answer == .taken {
            counts.delivered += count
            lag = max(0, lag - count)
            isKept = false
            for refused in machine?.leftOut ?? [] {
                counts.leftOut += 1
                logger.error("the webhook has left out \(refused.request.firstEvent): \(refused.reason)")
            }
            if lastComplaint != nil { logger.notice("the webhook is delivered again") }
            lastComplaint = nil
            return
        }
        counts.failed += 1
        if answer == .gone { isKept = false }
        guard let error = machine?.lastError, error != lastComplaint else { return }
        lastComplaint = error
        let next = answer == .gone ? "reload the settings to begin again" : "it is tried again"
        logger.warning("the webhook was not delivered: \(error); \(next)")
    }

    private mutating func keep(now: Double) -> Bool {
        guard let machine, let configuration else { return true }
        do throws(FileFailure) {
            guard let bytes = KeptWebhook(url: configuration.url, machine: machine).bytes else {
                throw .system(EINVAL)
            }
            try file.write(bytes)
            (isKept, hasMoved, lastKept) = (true, false, now)
            goesOn()
        } catch {
            waits(because: "what is kept of the webhook can't be written: \(error)", now: now)
        }
        return isKept
    }

    func status(now: Double) -> WebhookStatus {
        guard configuration != nil else { return counts }
        var status = machine?.status(lag: lag, now: now) ?? WebhookStatus(state: .delivering)
        (status.delivered, status.failed, status.leftOut) = (counts.delivered, counts.failed, counts.leftOut)
        if let obstacle { status.lastError = obstacle }
        if machine == nil, obstacle != nil { (status.state, status.wait) = (.waiting, max(0, retry - now)) }
        return status
    }

    /// Returns a unique id, made of 128 random bits.
    private static func newID() -> String {
        let bits = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        return "msg_" + String(bits.0, radix: 36) + String(bits.1, radix: 36)
    }
}
