import CurlTransfer
import JobModel
import Logging
import SmallFiles

/// The work of the webhook's thread between two waits, which drives the machine and keeps its state.
struct WebhookLoop {
    /// The thread's next step.
    enum Step {
        case read(after: Int64, endings: [String])
        case send(WebhookRequest, WebhookConfiguration)
        case wait(seconds: Double?)
    }

    /// The seconds between two counts of the backlog while the webhook waits for its receiver.
    private static let countingPause = 5.0
    /// The seconds between two tries of what the disk or the store has refused.
    private static let retryPause = 10.0
    /// The seconds after which a cursor is kept that moved without a request.
    ///
    /// Until then, a kill costs nothing but reading again.
    private static let keepingPause = 5.0

    private let file: WebhookFile
    private let logger: Logger
    private var configuration: WebhookConfiguration?
    private var machine: WebhookMachine?
    /// True if the file has yet to be read.
    private var isUnread = false
    /// The reason why what was kept is lost.
    private var loss: String?
    /// The reason why there is no machine yet.
    private var obstacle: String?
    private var retryBeginning = -Double.infinity
    /// The number after which the store is being asked.
    private var asked: Int64?
    private var lag = 0
    private var hasNews = false
    private var lastCount = -Double.infinity
    private var delivered = 0
    private var failed = 0
    private var leftOut = 0
    private var isKept = true
    /// True if the cursor has moved without a request since it was kept.
    private var hasMoved = false
    private var lastKept = -Double.infinity
    private var retryKeeping = -Double.infinity
    private var lastComplaint: String?

    /// Creates a loop without a configuration.
    init(file: WebhookFile, logger: Logger) {
        (self.file, self.logger) = (file, logger)
    }

    /// Handles what other threads have posted.
    mutating func handle(_ mail: WebhookMail, now: Double) {
        if let configuration = mail.configuration { configure(configuration) }
        if mail.hasEndings {
            machine?.somethingEnded()
            hasNews = true
        }
        guard let page = mail.page else { return }
        let number = asked
        asked = nil
        switch page {
        case .success(let page): took(page, after: number)
        case .failure(let failure):
            machine?.readFailed(failure.reason, now: now)
            if machine == nil { waits(because: failure.reason, now: now) }
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
        retryBeginning = -.infinity
        guard machine != nil else { return isUnread = true }
        machine?.goOn()
        isKept = false
    }

    /// Reads what was kept; returns false if it can't be read now.
    private mutating func begin(_ configuration: WebhookConfiguration, now: Double) -> Bool {
        do throws(WebhookFile.Failure) {
            if let kept = try file.read() {
                machine = kept.machine
                // A new receiver gets what the old one has refused.
                if kept.url != configuration.url { machine?.goOn() }
            }
            (isKept, hasMoved) = (false, false)
        } catch .damaged {
            do throws(WebhookFile.Failure) { try file.setAside() } catch {
                waits(because: "\(file.path) is damaged, and can't be set aside: \(error)", now: now)
                return false
            }
            let lost = "\(file.path) is damaged, and was set aside as \(file.damagedPath)"
            logger.error("\(lost): the receiver is told of a gap, and gets what ends from now on")
            loss = lost
        } catch {
            waits(because: "what is kept of the webhook can't be read: \(error)", now: now)
            return false
        }
        (isUnread, obstacle) = (false, nil)
        return true
    }

    private mutating func waits(because reason: String, now: Double) {
        retryBeginning = now + Self.retryPause
        if reason != obstacle { logger.error("the webhook waits: \(reason)") }
        obstacle = reason
    }

    private mutating func took(_ page: WebhookPage, after number: Int64?) {
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
            (isKept, loss, obstacle) = (false, nil, nil)
            return
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

    /// Returns the next step.
    mutating func step(now: Double) -> Step {
        guard let configuration else { return .wait(seconds: nil) }
        if machine == nil || isUnread {
            guard now >= retryBeginning else { return .wait(seconds: retryBeginning - now) }
            if isUnread, !begin(configuration, now: now) { return .wait(seconds: Self.retryPause) }
        }
        guard let machine else { return ask(after: 0) }
        if hasMoved, now - lastKept >= Self.keepingPause { isKept = false }
        // A request is kept before it is sent. Otherwise, it would be sent with another id after a kill.
        if !isKept {
            if now < retryKeeping { return .wait(seconds: retryKeeping - now) }
            guard keep(now: now) else { return .wait(seconds: Self.retryPause) }
        }
        switch machine.next(now: now) {
        case .read(let after): return ask(after: after)
        case .send(let request): return .send(request, configuration)
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

    private mutating func ask(after number: Int64) -> Step {
        guard asked == nil, let configuration else { return .wait(seconds: nil) }
        asked = number
        machine?.beginsReading()
        return .read(after: number, endings: configuration.endings)
    }

    /// Keeps how far the receiver is, before the thread ends.
    mutating func finish(now: Double) {
        if hasMoved || !isKept { _ = keep(now: now) }
    }

    /// Handles the receiver's answer to the request.
    mutating func answered(_ answer: WebhookMachine.Answer, now: Double) {
        let count = machine?.request?.count ?? 0
        machine?.answered(answer, now: now)
        if answer == .taken {
            delivered += count
            lag = max(0, lag - count)
            isKept = false
            for refused in machine?.leftOut ?? [] {
                leftOut += 1
                logger.error("the webhook has left out \(refused.request.firstEvent): \(refused.reason)")
            }
            if lastComplaint != nil { logger.notice("the webhook is delivered again") }
            lastComplaint = nil
            return
        }
        failed += 1
        if answer == .gone { isKept = false }
        guard let error = machine?.lastError, error != lastComplaint else { return }
        lastComplaint = error
        let next = answer == .gone ? "reload the settings to begin again" : "it is tried again"
        logger.warning("the webhook was not delivered: \(error); \(next)")
    }

    private mutating func keep(now: Double) -> Bool {
        guard let machine, let configuration else { return true }
        do throws(FileFailure) {
            try file.write(machine, url: configuration.url)
            (isKept, hasMoved, lastKept) = (true, false, now)
        } catch {
            retryKeeping = now + Self.retryPause
            let complaint = "what is kept of the webhook can't be written: \(error)"
            if complaint != lastComplaint { logger.error("\(complaint)") }
            lastComplaint = complaint
        }
        return isKept
    }

    /// The state of delivery.
    func status(now: Double) -> WebhookStatus {
        guard configuration != nil else {
            return WebhookStatus(delivered: delivered, failed: failed, leftOut: leftOut)
        }
        var status = machine?.status(lag: lag, now: now) ?? statusBefore(now: now)
        status.delivered = delivered
        status.failed = failed
        status.leftOut = leftOut
        if !isKept, now < retryKeeping { status.lastError = lastComplaint }
        return status
    }

    /// The state of delivery while there is no machine.
    private func statusBefore(now: Double) -> WebhookStatus {
        guard let obstacle else { return WebhookStatus(state: .delivering) }
        return WebhookStatus(state: .waiting, lastError: obstacle, wait: max(0, retryBeginning - now))
    }

    /// Returns a unique id, made of 128 random bits.
    private static func newID() -> String {
        let bits = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        return "msg_" + String(bits.0, radix: 36) + String(bits.1, radix: 36)
    }
}
