import JobCore

/// Decides what a webhook sends and when.
///
/// It has no side effects; time is in seconds of any steady clock. Endings are delivered in order, at least
/// once, and in one request at a time, whose contents stay the same until the receiver has accepted it.
public struct WebhookMachine: Sendable {
    /// The seconds between the first and the second try; doubled each time.
    static let firstPause = 1.0
    /// The most seconds between two tries, unless the receiver asks for more.
    static let longestPause = 3600.0
    /// The most seconds that a receiver can ask for.
    static let longestRetryAfter = 86_400.0

    /// What to do next.
    public enum Step: Equatable, Sendable {
        /// Ask for endings after this number.
        case read(after: Int64)
        /// Send this request.
        case send(WebhookRequest)
        /// Wait until a job ends, but at most this many seconds; nil for no limit.
        case wait(seconds: Double?)
    }

    /// The receiver's answer to a request.
    public enum Answer: Hashable, Sendable {
        /// The receiver has accepted it.
        case taken
        /// The receiver wants no more requests.
        case gone
        /// The receiver hasn't accepted it, and says why, and perhaps when to try again, in seconds.
        case failed(String, retryAfter: Double?)
    }

    /// The number up to which the receiver has accepted everything.
    public private(set) var cursor: Int64
    /// The number up to which the receiver was told that endings may have been forgotten.
    public private(set) var told: Int64
    /// The request that the receiver has yet to accept.
    public private(set) var request: WebhookRequest?
    /// Whether the receiver wants no more requests.
    public private(set) var isStopped: Bool
    /// The latest error, until a request is accepted.
    public private(set) var lastError: String?

    private var due = -Double.infinity
    private var failures = 0
    private var mayHaveMore = true

    /// Creates a machine from the state that was kept.
    public init(
        cursor: Int64,
        told: Int64 = 0,
        request: WebhookRequest? = nil,
        isStopped: Bool = false
    ) {
        self.cursor = cursor
        self.told = told
        self.request = request
        self.isStopped = isStopped
    }

    /// Creates a machine for a receiver whose state was lost, for this reason.
    ///
    /// Nobody knows what the receiver has accepted. It is told that everything up to the latest ending may
    /// be missing, and then gets what comes after that.
    init(lostBefore newest: Int64, because reason: String, source: String, id: String) {
        self.init(
            cursor: newest,
            request: newest == 0 ? nil : WebhookRequest(gapThrough: newest, source: source, id: id)
        )
        lastError = reason
    }

    /// Returns the next step.
    public func next(now: Double) -> Step {
        guard !isStopped else { return .wait(seconds: nil) }
        guard now >= due else { return .wait(seconds: due - now) }
        if let request { return .send(request) }
        return mayHaveMore ? .read(after: cursor) : .wait(seconds: nil)
    }

    /// Notes that a job may have ended.
    public mutating func somethingEnded() { mayHaveMore = true }

    /// Notes that the endings are being read, so that whatever ends from now on is news again.
    public mutating func beginsReading() { mayHaveMore = false }

    /// Takes the endings after the cursor.
    ///
    /// - Parameters:
    ///   - page: The endings.
    ///   - source: The `source` of the events.
    ///   - id: The id of the request that is made of them.
    public mutating func read(_ page: WebhookPage, source: String, id: String) {
        guard request == nil else { return }
        if failures == 0 { (lastError, due) = (nil, -.infinity) }
        if page.newest < cursor {
            // This is another store, whose numbers begin anew.
            (cursor, told, mayHaveMore) = (0, 0, true)
            return
        }
        request = WebhookRequest(page, after: cursor, told: told, source: source, id: id)
        if let request {
            if page.total > request.count { mayHaveMore = true }
        } else if page.total == 0 {
            // No number up to the latest is ever given again. A cursor that stayed behind would take the
            // forgetting of what the receiver hasn't asked for as a gap.
            cursor = page.newest
        }
    }

    /// Notes that the endings couldn't be read.
    public mutating func readFailed(_ reason: String, now: Double) {
        lastError = reason
        due = now + 10
        mayHaveMore = true
    }

    /// Takes the receiver's answer to the request.
    public mutating func answered(_ answer: Answer, now: Double) {
        guard let sent = request else { return }
        switch answer {
        case .taken:
            cursor = sent.through
            told = max(told, sent.gap ?? 0)
            request = nil
            (failures, lastError, due) = (0, nil, -.infinity)
        case .gone:
            isStopped = true
            lastError = "the receiver wants no more: it answered with status 410"
        case .failed(let reason, let retryAfter):
            lastError = reason
            failures += 1
            let doubled = Self.firstPause * Double(UInt64(1) << UInt64(min(failures - 1, 32)))
            let asked = retryAfter.map { min(max($0, 0), Self.longestRetryAfter) }
            due = now + (asked ?? min(doubled, Self.longestPause))
        }
    }

    /// Resumes delivery at once, since somebody may have seen to what stopped or delayed it.
    public mutating func goOn() {
        isStopped = false
        (failures, due) = (0, -.infinity)
        mayHaveMore = true
    }

    /// Returns the state of delivery; `lag` is the number of endings after the cursor.
    public func status(lag: Int, now: Double) -> WebhookStatus {
        WebhookStatus(
            state: isStopped ? .stopped : due > now ? .waiting : .delivering,
            lag: lag,
            lastError: lastError,
            wait: !isStopped && due > now ? due - now : nil
        )
    }
}
