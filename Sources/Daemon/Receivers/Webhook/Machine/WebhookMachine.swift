import JobModel

/// Decides what a webhook sends and when.
///
/// It has no side effects; time is in seconds of any steady clock. Endings are delivered in order, at least
/// once, and in one request at a time, whose contents stay the same until the receiver has accepted it.
///
/// A receiver may refuse what a request says, as with status 400, which no repetition changes. Then its endings are
/// sent one by one. Those that were refused several times are left out, and reported, but only once the
/// receiver has accepted a later one: a receiver that refuses everything is out of order, and loses nothing
/// by that.
struct WebhookMachine: Sendable {
    /// The seconds from one try to the next, whatever the receiver asks for.
    static let pauses = 1.0...3600.0
    /// The number of times that an ending is refused before later ones are tried in its place.
    static let patience = 5
    /// The most endings that are passed over to find one that the receiver accepts.
    static let longestDetour = 100

    /// The next step.
    enum Step: Equatable, Sendable {
        /// Ask for endings after this number.
        case read(after: Int64)
        /// Send this request.
        case send(WebhookRequest)
        /// Wait until a job ends, but at most this many seconds; nil for no limit.
        case wait(seconds: Double?)
    }

    /// The receiver's answer to a request.
    enum Answer: Hashable, Sendable {
        /// The receiver has accepted it.
        case taken
        /// The receiver wants no more requests.
        case gone
        /// The receiver hasn't accepted it, and says why, and perhaps when to try again, in seconds.
        case failed(String, retryAfter: Double?)
        /// The receiver doesn't accept what it says, whenever that is sent, and says why.
        case refused(String)
    }

    /// The number up to which the receiver has accepted everything.
    private(set) var cursor: Int64
    /// The number up to which the receiver was told that endings may have been forgotten.
    private(set) var told: Int64
    /// The request that the receiver has yet to accept.
    private(set) var request: WebhookRequest?
    /// True if the receiver wants no more requests.
    private(set) var isStopped: Bool
    /// The latest error, until a request is accepted.
    private(set) var lastError: String?

    /// The endings that were left out when the receiver answered last.
    private(set) var leftOut: [Refused] = []

    /// A request, and the words in which it was refused.
    struct Refused: Sendable {
        /// The request.
        let request: WebhookRequest
        /// The receiver's words.
        let reason: String
    }

    /// Requests that were refused, the first of them several times, while a later one shows whose fault that is.
    private var suspects: [Refused] = []
    /// The time when the first of them is tried again if that shows nothing.
    private var dueAgain = -Double.infinity
    /// The number up to which endings are sent one by one.
    private var aloneThrough: Int64 = 0
    private var due = -Double.infinity
    private var failures = 0
    private var mayHaveMore = true

    init(
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
    func next(now: Double) -> Step {
        guard !isStopped else { return .wait(seconds: nil) }
        guard now >= due else { return .wait(seconds: due - now) }
        if let request { return .send(request) }
        return mayHaveMore ? .read(after: position) : .wait(seconds: nil)
    }

    /// The number after which endings are read.
    var position: Int64 { suspects.last?.request.through ?? cursor }

    /// The request to keep over restarts: the oldest that the receiver has yet to accept.
    var keptRequest: WebhookRequest? { suspects.first?.request ?? request }

    /// Notes that a job may have ended.
    mutating func somethingEnded() { mayHaveMore = true }

    /// Notes that the endings are being read, so that whatever ends from now on is news again.
    mutating func beginsReading() { mayHaveMore = false }

    /// Accepts the endings after the ``position``.
    ///
    /// - Parameters:
    ///   - page: The endings.
    ///   - source: The `source` of the events.
    ///   - id: The id of the request that is made of them.
    mutating func read(_ page: FollowedPage<WebhookItem>, source: String, id: String) {
        guard request == nil else { return }
        if failures == 0 { (lastError, due) = (leftOutWords, -.infinity) }
        if page.newest < cursor {
            // This is another store, whose numbers begin anew.
            (cursor, told, mayHaveMore) = (0, 0, true)
            (suspects, aloneThrough) = ([], 0)
            return
        }
        request = WebhookRequest(
            page,
            after: position,
            told: max(told, suspects.last?.request.gap ?? 0),
            most: position < aloneThrough || !suspects.isEmpty ? 1 : WebhookRequest.maximumCount,
            source: source,
            id: id
        )
        if let request {
            if page.total > request.count { mayHaveMore = true }
        } else if !suspects.isEmpty {
            takeBackSuspects()
        } else if page.total == 0 {
            // No number up to the latest is ever given again. A cursor that stayed behind would take the
            // forgetting of what the receiver hasn't asked for as a gap.
            cursor = page.newest
        }
    }

    /// Notes that the endings couldn't be read.
    mutating func readFailed(_ reason: String, now: Double) {
        lastError = reason
        due = now + 10
        mayHaveMore = true
    }

    /// Applies the receiver's answer to the request.
    mutating func answered(_ answer: Answer, now: Double) {
        guard let sent = request else { return }
        leftOut = []
        switch answer {
        case .taken:
            cursor = sent.through
            told = max(told, sent.gap ?? 0, suspects.last?.request.gap ?? 0)
            (request, leftOut, suspects) = (nil, suspects, [])
            (failures, lastError, due) = (0, nil, -.infinity)
            lastError = leftOutWords
            if !leftOut.isEmpty { mayHaveMore = true }
        case .gone:
            isStopped = true
            lastError = "the receiver wants no more: it answered with status 410"
        case .failed(let reason, let retryAfter):
            putOff(now: now, retryAfter: retryAfter)
            takeBackSuspects()
            let isTooLong = retryAfter.map { $0 > Self.pauses.upperBound } ?? false
            lastError =
                reason + (isTooLong ? ", and asked for more than an hour, which is the longest pause" : "")
        case .refused(let reason):
            lastError = reason
            refused(sent, Refused(request: sent, reason: reason), now: now)
        }
    }

    private mutating func refused(_ sent: WebhookRequest, _ refusal: Refused, now: Double) {
        if suspects.isEmpty { putOff(now: now, retryAfter: nil) }
        if sent.eventCount > 1 {
            (request, mayHaveMore) = (nil, true)
            (aloneThrough, due) = (max(aloneThrough, sent.through), now + Self.pauses.lowerBound)
        } else if suspects.isEmpty ? failures >= Self.patience : suspects.count < Self.longestDetour {
            if suspects.isEmpty { (dueAgain, due) = (due, -.infinity) }
            suspects.append(refusal)
            (request, mayHaveMore) = (nil, true)
        } else {
            takeBackSuspects()
        }
    }

    /// Words for what was left out when the receiver answered last, for the status.
    private var leftOutWords: String? {
        leftOut.first.map { "\($0.request.firstEvent) was left out: \($0.reason)" }
    }

    /// Lets some time go by before the next try.
    private mutating func putOff(now: Double, retryAfter: Double?) {
        failures += 1
        let pause = retryAfter ?? Self.pauses.doubled(times: failures - 1)
        due = now + min(max(pause, 0), Self.pauses.upperBound)
    }

    /// Returns to the first request that was refused: no later one was accepted, which proves nothing.
    private mutating func takeBackSuspects() {
        guard let first = suspects.first else { return }
        (request, suspects, mayHaveMore) = (first.request, [], true)
        due = max(due, dueAgain)
    }

    /// Resumes delivery at once, since somebody may have seen to what stopped or delayed it.
    mutating func goOn() {
        takeBackSuspects()
        isStopped = false
        (failures, due) = (0, -.infinity)
        mayHaveMore = true
    }

    /// Returns the state of delivery; `lag` is the number of endings after the cursor.
    func status(lag: Int, now: Double) -> WebhookStatus {
        WebhookStatus(
            state: isStopped ? .stopped : due > now ? .waiting : .delivering,
            lag: lag + suspects.count,
            lastError: lastError,
            wait: !isStopped && due > now ? due - now : nil
        )
    }
}
