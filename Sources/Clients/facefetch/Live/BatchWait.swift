import ControlAPI
import Glibc
import Vocabulary

/// Waits for a batch, or some jobs of one, to end, showing live lines on a terminal, event lines in a pipe, and
/// nothing before the end with JSON.
final class BatchWait {
    private let client: ControlClient
    private let batch: BatchJSON
    private let output: Output
    private let isJSON: Bool
    private let isLive: Bool
    private let jobs: [Int64]
    /// True if all jobs of the batch are waited for.
    private let isWhole: Bool
    /// True if the batch has just been accepted, so that all of its events are news.
    private let isNew: Bool
    private var progress: BatchProgress
    private var area = LiveArea()
    private var notice: String?
    private var looks = SilentLooks(now: .now)
    /// True if the jobs have yet to be read, since events tell only what happens from now on.
    private var isUnread = false
    private var lostSince: ContinuousClock.Instant?
    /// The outcome; nil until the last job has ended.
    private(set) var outcome: BatchOutcome?

    /// The time for which the daemon may be gone before waiting is given up.
    private static let patience = Duration.seconds(60)

    /// Prepares to wait for a batch.
    ///
    /// - Parameters:
    ///   - jobs: The jobs of it that are waited for; nil for all.
    ///   - isNew: Whether it has just been accepted.
    /// - Throws: ``ClientError``
    init(
        client: ControlClient,
        batch: BatchJSON,
        jobs: [Int64]? = nil,
        isNew: Bool = true,
        output: Output,
        isJSON: Bool
    ) throws {
        self.client = client
        self.batch = batch
        self.output = output
        self.isJSON = isJSON
        self.isLive = !isJSON && output.canRedraw
        self.isNew = isNew
        self.isWhole = jobs == nil
        self.jobs = try jobs ?? batch.jobs ?? client.batch(batch.id).jobs ?? []
        self.progress = BatchProgress(jobs: self.jobs)
    }

    /// Waits until the last job has ended; returns `unsuccessful` if any has failed, was cancelled or is no longer
    /// known.
    ///
    /// - Throws: ``ClientError`` if the daemon is gone for good.
    func run() throws -> ExitStatus {
        let signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT])
        let feed = EventFeed(
            socketPath: client.socketPath,
            batch: batch.id,
            after: isNew ? 0 : nil,
            isKnown: !isNew
        )
        while !progress.isOver {
            do {
                try handle(try feed.next(timeout: 100, descriptors: [signals.descriptor]))
            } catch let error as ClientError where error.isOfMissingBatch {
                break
            }
            guard feed.hasToWait else { continue }
            for number in signals.drain() {
                if number == SIGCONT { area.forget() }
                guard number != SIGWINCH, number != SIGCONT else { continue }
                return try leave(by: number)
            }
            try show()
            try checkWhetherLost()
            if hasEndedUnheard() { break }
        }
        try wipe()
        return try report()
    }

    private func handle(_ item: EventFeed.Item) throws {
        switch item {
        case .event(let event):
            looks.heard(now: .now)
            guard progress.waits(for: event.job) else { return }
            progress.apply(event)
            if !isLive, !isJSON { try output.line(EventLine.fromElapsed(event)) }
        case .progress(let moment):
            progress.apply(moment)
        case .connected:
            (notice, lostSince) = (nil, nil)
            // What happens from here on is told; what happened before is in the store.
            looks.heard(now: .now)
            isUnread = !isNew
            if isUnread { looks.hurry() }
        case .lost(let error):
            lostSince = .now
            notice = "The daemon is gone; waiting for it to come back…"
            if !isLive { Output.note("\(error.messageWhileWaiting) Waiting for it to come back…") }
        case .gone, .woken, .quiet, .ended:
            break
        }
    }

    private func show() throws {
        if isLive, let size = output.size {
            // A line that fills the last column wraps on some terminals.
            let lines = progress.lines(width: size.columns - 1, rows: size.rows, notice: notice)
            output.raw(area.redraw(lines, width: size.columns))
        }
        try output.flush()
    }

    private func wipe() throws {
        if isLive { output.raw(area.clear(width: output.size?.columns ?? 80)) }
        try output.flush()
    }

    private func checkWhetherLost() throws {
        guard let lostSince, .now - lostSince > Self.patience else { return }
        try wipe()
        throw ClientError.unreachable(
            """
            The daemon has been gone for a minute. Batch \(BatchID(batch.id)) is on its disk and goes on when it \
            is started again ("systemctl start facefetchd"): facefetch log -f --batch \(BatchID(batch.id))
            """
        )
    }

    /// Returns whether the batch turns out to have ended without an event that says so, as its last events may no
    /// longer be kept, or it has been forgotten.
    ///
    /// A batch may have very many jobs, which are read only where there is news. A daemon that can't answer just now
    /// is asked again.
    private func hasEndedUnheard() -> Bool {
        guard lostSince == nil, looks.isDue(now: .now) else { return false }
        do {
            if isUnread || !isWhole {
                try look()
                isUnread = false
            } else if try client.batch(batch.id).states.areFinal {
                return true
            }
        } catch let error as ClientError where error.isOfMissingBatch {
            return true
        } catch {
            // The next look may be luckier.
        }
        looks.looked(now: .now)
        return progress.isOver
    }

    /// Reads the jobs that are waited for; what is no longer known isn't waited for any longer.
    private func look() throws {
        var known: Set<Int64> = []
        try forEachJob { job in
            known.insert(job.id)
            progress.apply(job)
        }
        progress.forgetAll(but: known)
    }

    /// Hands every job that is waited for to `body`, as it is now.
    private func forEachJob(_ body: (JobJSON) -> Void) throws {
        guard jobs.count <= Self.mostNamed else {
            return try client.forEachPage(batch: batch.id) { page in
                for job in page where progress.waits(for: job.id) { body(job) }
            }
        }
        let names = jobs.map(String.init).joined(separator: ",")
        guard !names.isEmpty else { return }
        try client.forEachPage([("ids", names)]) { page in for job in page { body(job) } }
    }

    /// The number of jobs that can be asked for by name at once.
    private static let mostNamed = 500

    private func leave(by number: Int32) throws -> ExitStatus {
        try wipe()
        Output.note(
            """
            No longer waiting; the daemon goes on with batch \(BatchID(batch.id)). \
            See it with: facefetch log -f --batch \(BatchID(batch.id))
            """
        )
        return SignalPipe.die(by: number)
    }

    private func report() throws -> ExitStatus {
        var found: [Int64: JobJSON] = [:]
        if isNew {
            try client.forEachPage(batch: batch.id) { page in
                for job in page { found[job.id] = job }
            }
        } else {
            try forEachJob { found[$0.id] = $0 }
        }
        let ended = jobs.compactMap { found[$0] }
        outcome = BatchOutcome(batch: batch.id, ended)
        if isJSON {
            for job in ended { try output.line(JSONLine.text(job)) }
        } else if isLive {
            for line in ShownJobs.results(ended, took: progress.took).lines(width: output.width) {
                try output.line(line)
            }
        }
        try output.flush()
        let lost = jobs.count - ended.count
        if lost > 0 {
            Output.note(
                """
                \(Quantities.count(lost, "job")) of batch \(BatchID(batch.id)) \
                \(lost == 1 ? "is" : "are") no longer known: forgotten, or of another store.
                """
            )
        }
        let bad = ended.filter { $0.state != .done }
        guard let first = bad.first else { return lost > 0 ? .unsuccessful : .done }
        let example = first.error.map { "\($0.code): \($0.message)" } ?? first.state.text
        Output.note(
            """
            \(Quantities.grouped(bad.count)) of \(Quantities.count(ended.count, "file")) did not end well; \
            \(JobID(first.id)), "\(first.name.safeForTerminal)", \(example.safeForTerminal.endedSentence) \
            See: facefetch list --batch \(BatchID(batch.id))
            """
        )
        return .unsuccessful
    }
}

extension JobCountsJSON {
    /// True if there are no jobs that have not ended.
    fileprivate var areFinal: Bool { allSatisfy { $0.value <= 0 || $0.key.known?.isFinal == true } }
}

extension ClientError {
    /// True if the daemon has answered that there is no such batch.
    fileprivate var isOfMissingBatch: Bool { code == ProblemCode.noSuchBatch.rawValue }
}
