import CurlTransfer
import JobCore
import Logging

/// The work of the webhook's thread between two waits, which drives the machine and keeps its state.
struct WebhookLoop {
    /// What the thread has to do next.
    enum Step {
        case read(after: Int64, endings: [String])
        case send(WebhookRequest, WebhookConfiguration)
        case wait(seconds: Double?)
    }

    /// The seconds between two counts of the backlog while the webhook waits for its receiver.
    private static let countingPause = 5.0

    private let file: WebhookFile
    private let logger: Logger
    private var configuration: WebhookConfiguration?
    private var machine: WebhookMachine?
    private var isAsking = false
    private var lag = 0
    private var hasNews = false
    private var lastCount = -Double.infinity
    private var delivered = 0
    private var failed = 0
    private var isKept = true
    private var retryKeeping = -Double.infinity
    private var lastComplaint: String?

    /// Creates a loop without a configuration.
    init(file: WebhookFile, logger: Logger) {
        (self.file, self.logger) = (file, logger)
    }

    /// Handles what other threads have posted.
    mutating func take(_ mail: WebhookMail, now: Double) {
        if let configuration = mail.configuration { configure(configuration) }
        if mail.hasEndings {
            machine?.somethingEnded()
            hasNews = true
        }
        guard let page = mail.page else { return }
        isAsking = false
        switch page {
        case .success(let page): took(page)
        case .failure(let failure): machine?.readFailed(failure.reason, now: now)
        }
    }

    private mutating func configure(_ newer: WebhookConfiguration?) {
        configuration = newer
        guard let newer else {
            if machine != nil { logger.notice("the webhook is off") }
            machine = nil
            file.remove()
            return
        }
        if machine == nil, let kept = file.read() {
            machine = kept.machine
            // A new receiver gets what the old one has refused.
            if kept.url != newer.url { machine?.goOn() }
        } else {
            machine?.goOn()
        }
        isKept = false
    }

    private mutating func took(_ page: WebhookPage) {
        guard let configuration else { return }
        guard var machine else {
            // The first delivery begins with what ends from now on.
            self.machine = WebhookMachine(cursor: page.newest)
            isKept = false
            return
        }
        lag = page.total
        guard machine.request == nil else { return }
        machine.read(page, source: configuration.source, id: Self.newID())
        isKept = isKept && machine.request == nil
        self.machine = machine
    }

    /// Returns the next step.
    mutating func step(now: Double) -> Step {
        guard let configuration else { return .wait(seconds: nil) }
        guard let machine else { return ask(after: 0) }
        // A request is kept before it is sent. Otherwise, it would be sent with another id after a kill.
        if !isKept {
            if now < retryKeeping { return .wait(seconds: retryKeeping - now) }
            guard keep(now: now) else { return .wait(seconds: 10) }
        }
        switch machine.next(now: now) {
        case .read(let after): return ask(after: after)
        case .send(let request): return .send(request, configuration)
        case .wait(let seconds):
            guard hasNews else { return .wait(seconds: seconds) }
            // Somebody may want to know the backlog, but counting it takes time.
            guard now - lastCount >= Self.countingPause else {
                return .wait(seconds: min(seconds ?? .infinity, lastCount + Self.countingPause - now))
            }
            (lastCount, hasNews) = (now, false)
            return ask(after: machine.cursor)
        }
    }

    private mutating func ask(after: Int64) -> Step {
        guard !isAsking, let configuration else { return .wait(seconds: nil) }
        isAsking = true
        return .read(after: after, endings: configuration.endings)
    }

    /// Handles the receiver's answer to the request.
    mutating func answered(_ answer: WebhookMachine.Answer, now: Double) {
        let count = machine?.request?.count ?? 0
        machine?.answered(answer, now: now)
        if answer == .taken {
            delivered += count
            lag = max(0, lag - count)
            isKept = false
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
        do throws(KeptFile.Failure) {
            try file.write(machine, url: configuration.url)
            isKept = true
        } catch {
            retryKeeping = now + 10
            let complaint = "what is kept of the webhook can't be written: \(error)"
            if complaint != lastComplaint { logger.error("\(complaint)") }
            lastComplaint = complaint
        }
        return isKept
    }

    /// The state of delivery.
    func status(now: Double) -> WebhookStatus {
        guard configuration != nil else { return WebhookStatus(delivered: delivered, failed: failed) }
        var status = machine?.status(lag: lag, now: now) ?? WebhookStatus(state: .delivering)
        status.delivered = delivered
        status.failed = failed
        if !isKept, now < retryKeeping { status.lastError = lastComplaint }
        return status
    }

    /// Returns a unique id, made of 128 random bits.
    private static func newID() -> String {
        let bits = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        return "msg_" + String(bits.0, radix: 36) + String(bits.1, radix: 36)
    }
}
