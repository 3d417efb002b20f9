import JobModel
import Vocabulary

/// The patience with one host that asks its visitors to wait.
///
/// A host is held for as long as it asks, or as long as we think right. Then one request goes first, and when that has
/// been answered, the others follow: one at a time to begin with, since whoever has just been told that it asks too
/// often shouldn't ask six times at once.
public struct HostPatience: Hashable, Sendable {
    /// The stages between an open host and a held one.
    public enum Stage: Hashable, Sendable {
        /// Requests may be begun.
        case open
        /// Nothing is begun before this moment, and then one request.
        case held(until: Moment)
        /// One request is under way, that of this job, and the others wait for its answer.
        case asking(JobID)
    }

    /// The seconds to wait where a host doesn't say how long: at first, and at most; each time twice as many.
    public static let guessedWaits: ClosedRange<Double> = 30...3600
    /// The shortest and the longest wait, in seconds, that a host may ask for (RFC 9110 §10.2.3).
    public static let askedWaits: ClosedRange<Double> = 1...(7 * 86_400)
    /// The seconds for which a host is left alone that answers 503 without a word of how long: at first, and at most;
    /// each time twice as many.
    public static let failingWaits: ClosedRange<Double> = 10...300
    /// The seconds for which a host is left alone that asks for a browser: at first, and at most; each time twice as
    /// many.
    ///
    /// It waits for a person rather than for time to pass.
    public static let challengeWaits: ClosedRange<Double> = 3600...86_400
    /// The number of jobs in a row that such an answer has to be given to, since one may be about one file alone.
    static let failuresInRow = 3
    /// The number of answers after which one more request may be under way at once.
    ///
    /// What is under way when a host asks to wait again has been asked in vain: with this, that is one request in 64.
    static let answersPerStep = 64
    /// The seconds after which one more request may be under way, however few were answered.
    static let secondsPerStep = 60.0
    /// The number of requests at once from which on nothing is limited any more.
    static let widest = 64

    /// The present stage.
    public private(set) var stage = Stage.open
    /// The sentence about the last time that the host asked to wait, or failed; empty before.
    public private(set) var reason = ""
    /// The cause of the last hold.
    public private(set) var cause = HostWaitKind.asked
    /// The jobs to which the host has answered 503 in a row, or has asked for a browser, as long as those are few.
    private var failed: [JobID] = []
    /// The cause for which they failed.
    private var failing = HostWaitKind.failing
    /// The jobs that were told to wait, and had no other answer since.
    private var askers: Set<JobID> = []
    /// True if another has been answered since anybody was told so.
    private var answersOthers = false
    /// The most of these jobs that are remembered: where there are more, it is the host.
    private static let mostAskers = 64
    /// The number of waits in a row because of that.
    private var failingWaits = 0
    /// The number of waits in a row whose length was guessed.
    private var guesses = 0
    /// The most requests at once; nil for any number.
    public private(set) var width: Int?
    private var answersInStep = 0
    private var stepBegan: Moment?
    /// The moment at which the last hold ended.
    private var lastUntil: Moment?
    /// The earliest moment until which anybody was told to wait in the present hold.
    private var firstUntil: Moment?

    /// A host that hasn't asked for anything.
    public init() {}

    /// Returns the seconds to wait where so many are asked for, or so many seem right, within bounds.
    static func seconds(asked: Double?, otherwise guess: Double) -> Double {
        let bounds = asked == nil ? guessedWaits : askedWaits
        return min(max(asked ?? guess, bounds.lowerBound), bounds.upperBound)
    }

    /// True if the host is as one that was never asked anything.
    public var isAtRest: Bool { stage == .open && width == nil && failed.isEmpty && askers.isEmpty }

    /// Returns whether nothing that is known of a host without requests matters any more.
    public func isForgettable(now: Moment) -> Bool {
        switch stage {
        case .open: width.map { $0 + steps(by: now) > Self.widest } ?? true
        // The next guess is twice as long as the last.
        case .held(let until): now.seconds(since: until) >= Self.guessedWaits.upperBound
        case .asking: false
        }
    }

    /// True if requests wait for a time to pass, or for an answer.
    public var isHeld: Bool { stage != .open }

    /// The moment before which nothing is begun; nil if there is none.
    public var heldUntil: Moment? { if case .held(let until) = stage { until } else { nil } }

    /// Returns whether a host that asks to wait once more does so because of this job's file alone: it has answered
    /// others meanwhile.
    public func asksAlone(_ job: JobID) -> Bool { answersOthers && askers.contains(job) }

    /// Notes that the host has answered a job's request by asking to wait, or with a certificate that isn't trusted,
    /// and returns until when.
    ///
    /// Answers to requests that were under way when the host was held say nothing new, unless one asks for a longer
    /// wait.
    public mutating func asksToWait(
        _ seconds: Double?,
        job: JobID,
        because cause: HostWaitKind = .asked,
        reason: String,
        now: Moment
    ) -> Moment {
        var known: Moment?
        if case .held(let until) = stage, until > now { known = until }
        if case .asking(let other) = stage, other != job { known = now }
        self.reason = reason
        (self.cause, failed) = (cause, [])
        if cause.isOfHaste { (width, answersInStep, stepBegan) = (1, 0, nil) }
        if cause == .asked {
            if askers.count >= Self.mostAskers { askers = [] }
            askers.insert(job)
            answersOthers = false
        }
        let wait: Double
        if let seconds {
            wait = min(max(seconds, Self.askedWaits.lowerBound), Self.askedWaits.upperBound)
            guesses = 0
        } else if let known, known > now {
            return known
        } else {
            wait = Self.guessedWaits.doubled(times: known == nil ? guesses : guesses - 1)
            if known == nil { guesses += 1 }
        }
        let until = max(now.adding(seconds: wait), known ?? now)
        hold(until, goesOn: known.map { $0 > now } ?? false)
        return until
    }

    /// Notes that the host has answered a job's request with 503, and without a word of how long, or has asked for a
    /// browser.
    ///
    /// Where that is all that several jobs in a row were told, it isn't about one file, and the host is left alone, for
    /// so many seconds as are returned. A 503 is still a try of its job: some files are never answered otherwise.
    public mutating func fails(
        _ job: JobID,
        because cause: HostWaitKind = .failing,
        reason: String,
        now: Moment
    ) -> Double? {
        if failing != cause { (failing, failed, failingWaits) = (cause, [], 0) }
        switch stage {
        case .held(let until):
            guard cause == .challenge, self.cause == cause, until > now else { return nil }
            return until.seconds(since: now)
        // The others were under way when the host was held.
        case .asking(let first) where first != job: return nil
        case .asking where cause != .challenge || self.cause == cause: break
        // A host that was held for something else asks for a browser now, perhaps because of one file.
        case .asking, .open:
            if !failed.contains(job) { failed.append(job) }
            guard failed.count >= Self.failuresInRow else { return nil }
        }
        let waits = cause == .challenge ? Self.challengeWaits : Self.failingWaits
        let wait = waits.doubled(times: failingWaits)
        failingWaits += 1
        (self.cause, failed) = (cause, [])
        self.reason = reason
        if cause.isOfHaste { (width, answersInStep, stepBegan) = (1, 0, nil) }
        hold(now.adding(seconds: wait), goesOn: false)
        return wait
    }

    /// Holds the host until a moment; `goesOn` is true if it was held before, and some wait for an earlier one.
    private mutating func hold(_ until: Moment, goesOn: Bool) {
        firstUntil = goesOn ? min(firstUntil ?? until, until) : until
        stage = .held(until: until)
    }

    /// Holds the host until a moment, as an earlier run of the daemon did.
    public mutating func restore(until: Moment, because cause: HostWaitKind = .asked, reason: String) {
        if let heldUntil, heldUntil >= until {
            firstUntil = min(firstUntil ?? until, until)
            return
        }
        hold(until, goesOn: heldUntil != nil)
        (self.cause, self.reason) = (cause, reason)
        if cause.isOfHaste { (width, answersInStep, stepBegan) = (1, 0, nil) }
    }

    /// Ends a hold before its time, because a person says so: one request goes first now, as after its time.
    ///
    /// Returns the moments until which anybody was told to wait, from first to last; nil if the host wasn't held.
    public mutating func release(now: Moment) -> ClosedRange<Moment>? {
        guard case .held(let until) = stage, until > now else { return nil }
        stage = .held(until: now)
        (guesses, failingWaits) = (0, 0)
        return min(firstUntil ?? until, until)...until
    }

    /// Notes that the host has answered a job's request in some other way.
    public mutating func answered(_ job: JobID, now: Moment) {
        failed = []
        askers.remove(job)
        if case .asking(job) = stage {
            stage = .open
            (guesses, failingWaits) = (0, 0)
            stepBegan = now
        }
        // What was under way when the host was held says nothing new.
        guard stage == .open else { return }
        answersOthers = true
        guard width != nil else { return }
        answersInStep += 1
        if answersInStep >= Self.answersPerStep { widen(now: now) }
    }

    /// Notes that a job's request is over, which was the first one after a hold, and may have had no answer: another
    /// goes first then.
    public mutating func left(_ job: JobID) {
        if case .asking(job) = stage, let lastUntil { stage = .held(until: lastUntil) }
    }

    /// Returns whether a request may be begun while so many are under way.
    public func mayBegin(beside active: Int, now: Moment) -> Bool {
        switch stage {
        case .open: width.map { active < $0 + steps(by: now) } ?? true
        case .held(let until): until <= now
        case .asking: false
        }
    }

    /// Returns the moment at which a request may be begun beside so many, if nothing else happens; nil for now, or
    /// where time alone doesn't help.
    public func opensAt(beside active: Int, now: Moment) -> Moment? {
        switch stage {
        case .held(let until): return until > now ? until : nil
        case .asking: return nil
        case .open:
            guard let width, let stepBegan, active >= width + steps(by: now) else { return nil }
            return stepBegan.adding(seconds: Double(active - width + 1) * Self.secondsPerStep)
        }
    }

    /// Notes that a job's request is begun.
    public mutating func begin(_ job: JobID, now: Moment) {
        if case .held(let until) = stage { (stage, lastUntil) = (.asking(job), until) }
        for _ in 0..<steps(by: now) { widen(now: now) }
    }

    /// Returns the number of steps that time alone has brought.
    private func steps(by now: Moment) -> Int {
        guard let stepBegan else { return 0 }
        return Int(min(max(now.seconds(since: stepBegan) / Self.secondsPerStep, 0), Double(Self.widest)))
    }

    private mutating func widen(now: Moment) {
        guard let before = width else { return }
        width = before < Self.widest ? before + 1 : nil
        (answersInStep, stepBegan) = (0, width == nil ? nil : now)
    }
}

extension HostWaitKind {
    /// True if fewer requests might have kept the host from it.
    fileprivate var isOfHaste: Bool { self == .asked || self == .failing }

    /// The cause for which a host is left alone whose jobs wait because of a failure.
    public init(_ code: FailureCode) {
        switch code {
        case .badCertificate: self = .certificate
        case .challenge: self = .challenge
        default: self = .asked
        }
    }
}
