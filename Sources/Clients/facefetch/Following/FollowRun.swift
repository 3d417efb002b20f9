import ControlAPI
import ExportFormats
import Glibc
import Vocabulary

/// Follows what jobs come to, and runs a program for each.
///
/// Events say when to look, and the list of what ended says what there is: so nothing is missed, whatever
/// happens to either side. What is taken is written down as dealt with only after its program has ended.
final class FollowRun {
    /// Status of a program that wants to be run again later: EX_TEMPFAIL of sysexits.h.
    static let again: Int32 = 75

    /// Options of a follow run.
    struct Options {
        var endings: [JobEnding]
        var template: ProgramTemplate
        var jobs: Int
        var timeout: Double?
    }

    let client: ControlClient
    let options: Options
    private let cursor: FollowCursor
    private let feed: EventFeed
    private let signals: SignalPipe
    private let begin = ContinuousClock.now
    var ledger: FollowLedger
    var isDirty = false
    /// True if the cursor has passed endings that aren't asked for since it was written down.
    private var hasPassed = false
    private var lastWritten = ContinuousClock.now
    private var hasToLook = true
    private var lastLook = ContinuousClock.now
    private var hasAnswered: Bool
    /// The daemon's words when it last could not answer; nil once it can.
    private var trouble: String?
    private var told: Int64
    /// True if so much is to be tried again that no more is accepted.
    private var isFull = false
    var fresh: [Int64: (job: ExportedJob, json: [UInt8])] = [:]
    var running: [Int64: (program: RunningProgram, job: ExportedJob)] = [:]
    var ending: Int32?

    /// A follower whose cursor is written down already; `hasAnswered` says whether the daemon was asked for it.
    init(
        client: ControlClient,
        options: Options,
        cursor: FollowCursor,
        ledger: FollowLedger,
        hasAnswered: Bool,
        signals: SignalPipe
    ) {
        self.client = client
        self.options = options
        self.cursor = cursor
        self.ledger = ledger
        self.signals = signals
        self.hasAnswered = hasAnswered
        told = ledger.through
        feed = EventFeed(socketPath: client.socketPath, after: nil, isKnown: hasAnswered)
    }

    /// Follows until a signal comes, and says which.
    ///
    /// A daemon that has answered once is waited for whenever it is away.
    ///
    /// - Throws: ``ClientError`` when the daemon can't be reached the first time, or refuses.
    func run() throws -> Int32 {
        while true {
            for number in signals.drain() where number != SIGCHLD { end(by: number) }
            try reap()
            try look()
            start()
            try save()
            if let ending, running.isEmpty {
                try save(now: true)
                return ending
            }
            try wait()
        }
    }

    var now: Double { (.now - begin) / .seconds(1) }

    /// Waits for a signal, an event, or the moment when something is due.
    private func wait() throws {
        let clock = ContinuousClock.now
        var left = running.values.compactMap(\.program.deadline).map { ($0 - clock) / .seconds(1) }
        if running.count < options.jobs, let pause = ledger.pause(now: now) { left.append(pause) }
        if isDirty { left.append(writingPause) }
        if hasPassed { left.append(Self.passingPause) }
        if hasToLook, ledger.room > 0, ending == nil { left.append(lookingPause) }
        let seconds = max(0, min(left.min() ?? Self.longestSleep, Self.longestSleep))
        let timeout = Int32((seconds * 1000).rounded(.up))
        switch try feed.next(timeout: timeout, descriptors: [signals.descriptor]) {
        case .connected: hasToLook = true
        case .event(let event): if event.mayBeEnding { hasToLook = true }
        case .lost(let error):
            Output.note("\(error.messageWhileWaiting) Waiting for the daemon to come back…")
        case .gone, .progress, .woken, .ended: break
        case .quiet: if clock - lastLook > .seconds(Self.longestSleep) { hasToLook = true }
        }
    }

    /// Seconds between two writings of the cursor, while things end; longer where there is much to write.
    private var writingPause: Double { 0.05 + Double(ledger.openCount) / 10_000 }
    /// Seconds after which it is written down that others' endings were passed.
    ///
    /// Until then, a kill costs nothing but looking again.
    private static let passingPause = 5.0
    /// Seconds between two looks at the list, while events come.
    private static let lookingPause = 0.05
    /// Seconds between two looks while the daemon can't answer.
    private static let troubledPause = 2.0
    /// Seconds after which there is a look without an event.
    private static let longestSleep = 10.0
    /// The number of endings that are asked for at once.
    private static let page = 200

    private var lookingPause: Double { trouble == nil ? Self.lookingPause : Self.troubledPause }

    /// Accepts what has ended since the last look, as much as there is room for.
    private func look() throws {
        sayWhetherFull()
        guard hasToLook, ending == nil, ledger.room > 0, fresh.count < Self.page else { return }
        let isDue = .now - lastLook > .seconds(lookingPause)
        guard isDue || ledger.isEmpty && trouble == nil else { return }
        lastLook = .now
        guard let page = try ask(after: ledger.through, limit: min(Self.page, ledger.room)) else {
            // The feed says when a daemon is back that is away; one in trouble is asked again.
            hasToLook = trouble != nil
            return
        }
        guard page.newest.map({ $0 >= ledger.through }) ?? true else { return beginAnew(page) }
        tell(page)
        for item in page.items {
            guard let ended = item.job.ended, ended > ledger.through else { continue }
            ledger.accept(ended, now: now)
            fresh[ended] = (item.job, Array(page.bytes[item.place]))
        }
        hasToLook = page.hasMore
        // No number up to the latest is ever given again.
        if !page.hasMore, let newest = page.newest, ledger.pass(newest) { hasPassed = true }
    }

    /// Says when nothing more is taken, since the programs have put off all that can be kept, and when that is over.
    private func sayWhetherFull() {
        guard isFull != (ledger.room == 0) else { return }
        isFull.toggle()
        let count = FollowLedger.maximumOpen
        Output.note(
            isFull
                ? """
                \(count) endings wait to be handled, as many as are kept here, since programs have put them \
                off with status \(Self.again). What ends from now on is taken when some of them are handled; \
                nothing is lost meanwhile, as long as the daemon doesn't forget the jobs.
                """
                : "Fewer than \(count) endings wait to be handled: taking more again."
        )
    }

    /// A page; nil if the daemon is away, which the feed reports and waits for, or can't answer.
    func ask(after: Int64, limit: Int) throws -> ExportedPage? {
        do {
            let page = try client.endings(options.endings, after: after, limit: limit)
            feed.daemonHasAnswered()
            hasAnswered = true
            if trouble != nil { Output.note("The daemon answers again.") }
            trouble = nil
            return page
        } catch let error as ClientError where error.status == .unreachable {
            return nil
        } catch let error as ClientError where error.mayPass && hasAnswered {
            if trouble == nil { Output.note("\(error.message) Trying again until it can answer…") }
            trouble = error.message
            return nil
        }
    }

    /// Begins with the oldest where the daemon has other jobs than those that were followed.
    private func beginAnew(_ page: ExportedPage) {
        Output.note(
            """
            The daemon has numbers up to \(page.newest ?? 0) only, and \(ledger.through) were followed: \
            it has other jobs now. Beginning with the oldest of them.
            """
        )
        ledger = FollowLedger(through: 0)
        (told, isDirty) = (0, true)
        fresh = [:]
    }

    /// Says what may be missing.
    private func tell(_ page: ExportedPage) {
        guard let oldest = page.oldest, oldest > max(told, ledger.through) else { return }
        Output.note(FollowCursor.gap(upTo: oldest))
        told = oldest
    }

    private func save(now: Bool = false) throws {
        let pause = isDirty ? writingPause : Self.passingPause
        guard isDirty || hasPassed, now || .now - lastWritten >= .seconds(pause) else { return }
        try cursor.write(ledger)
        (isDirty, hasPassed) = (false, false)
        lastWritten = .now
    }

    /// Ends programs with this process; a second signal doesn't wait for them.
    private func end(by number: Int32) {
        if ending != nil { for entry in running.values { entry.program.sweep() } }
        ending = number
        for key in running.keys { running[key]?.program.warn() }
    }
}

extension EventJSON {
    /// True if the job may have come to something with it.
    fileprivate var mayBeEnding: Bool {
        guard let state = kind.known?.state else { return true }
        return state.isFinal || state == .stored
    }
}
