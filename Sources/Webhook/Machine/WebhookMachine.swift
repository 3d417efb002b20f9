import JobCore

/// Decides what a webhook sends and when.
///
/// It does nothing itself: time comes in as seconds of any steady clock, and what is to be done goes out
/// as a ``Step``. In order, at least once, one request at a time: what was put into a request stays in it
/// until the receiver has taken it.
public struct WebhookMachine: Sendable {
    /// Seconds until the second try; doubled each time.
    static let firstPause = 1.0
    /// The most seconds between two tries, unless the receiver asks for more.
    static let longestPause = 3600.0
    /// The most seconds that a receiver can ask for.
    static let longestRetryAfter = 86_400.0

    /// What comes next.
    public enum Step: Equatable, Sendable {
        /// Ask for what ended behind this number.
        case read(after: Int64)
        /// Send this.
        case send(WebhookRequest)
        /// Wait until something ends, so many seconds at the most; nil for as long as it takes.
        case wait(seconds: Double?)
    }

    /// What a receiver made of a request.
    public enum Answer: Hashable, Sendable {
        /// It has taken it.
        case taken
        /// It wants no more.
        case gone
        /// It has not taken it, for this reason; and when it may be tried again, if it said so.
        case failed(String, retryAfter: Double?)
    }

    /// Everything up to here was taken by the receiver.
    public private(set) var cursor: Int64
    /// What is to be taken next.
    public private(set) var request: WebhookRequest?
    /// Whether the receiver wants no more.
    public private(set) var isStopped: Bool
    /// What went wrong last, until something is taken.
    public private(set) var lastError: String?

    private var due = -Double.infinity
    private var failures = 0
    private var mayHaveMore = true

    /// A machine as it was kept.
    public init(cursor: Int64, request: WebhookRequest? = nil, isStopped: Bool = false) {
        self.cursor = cursor
        self.request = request
        self.isStopped = isStopped
    }

    /// What is to be done now.
    public func next(now: Double) -> Step {
        guard !isStopped else { return .wait(seconds: nil) }
        guard now >= due else { return .wait(seconds: due - now) }
        if let request { return .send(request) }
        return mayHaveMore ? .read(after: cursor) : .wait(seconds: nil)
    }

    /// Something has ended.
    public mutating func somethingEnded() { mayHaveMore = true }

    /// What had ended behind the cursor.
    ///
    /// - Parameters:
    ///   - page: The endings.
    ///   - source: Where events come from.
    ///   - id: A name for a request that is made of them.
    public mutating func read(_ page: WebhookPage, source: String, id: String) {
        guard request == nil else { return }
        if page.newest < cursor {
            // Another store, whose numbers begin anew.
            cursor = 0
            return
        }
        request = WebhookRequest(page, after: cursor, source: source, id: id)
        mayHaveMore = request != nil && page.total > (request?.count ?? 0)
        // What was asked for ended before the page was read.
        if request == nil { mayHaveMore = false }
    }

    /// It could not be found out what had ended.
    public mutating func readFailed(_ reason: String, now: Double) {
        lastError = reason
        due = now + 10
    }

    /// What the receiver made of the request.
    public mutating func answered(_ answer: Answer, now: Double) {
        guard let sent = request else { return }
        switch answer {
        case .taken:
            cursor = sent.through
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

    /// Somebody has looked into it: what was stopped or put off goes on at once.
    public mutating func goOn() {
        isStopped = false
        (failures, due) = (0, -.infinity)
        mayHaveMore = true
    }

    /// Where it stands; `lag` is how many endings behind the cursor there are.
    public func status(lag: Int, now: Double) -> WebhookStatus {
        WebhookStatus(
            state: isStopped ? .stopped : due > now ? .waiting : .delivering,
            lag: lag,
            lastError: lastError,
            wait: !isStopped && due > now ? due - now : nil
        )
    }
}
