import JobEngine
import JobModel
import SourceCore

/// A source at work: carries out what its machine decides, a step at a time.
///
/// Explicitly not Sendable: it is made, used and gone in one task.
final class SourceWork {
    /// The continuation after a step.
    enum Next {
        /// Another step.
        case again
        /// Nothing, for so many seconds; nil until something happens.
        case rest(seconds: Double?)

        /// A page was given up because of a request, after which there is another step.
        static let cutShort = Next.rest(seconds: nil)
    }

    /// Seconds after which a page is tried again for which there was no room, the first time and at most:
    /// each time the server is asked for it again.
    static let roomIntervals = 5.0...60.0
    /// The longest that a source sleeps: clocks may be set meanwhile, and machines suspended.
    static let longestRest = 3600.0
    /// The longest that it holds before it counts its jobs again.
    static let longestHold = 30.0

    /// The number of ends of the daemon in a row, each while it reads a page, after which that page waits
    /// longer and longer.
    static let mostAttempts = 3

    private(set) var snapshot: SourceSnapshot
    private(set) var isRemoved = false
    let id: Int64
    let parts: SourceParts
    let page: PageUnderWay
    private var stored: StoredSource
    var machine: SourceMachine
    var generator: any RandomNumberGenerator
    /// The keys that the walk has met.
    var recent = RecentKeys()
    private(set) var unfinished = UnfinishedCount()
    /// The list that is read row by row.
    var rows = RowReading()
    /// The questions whether pictures have changed that are being asked.
    var refresh: RefreshTask?
    /// The number of times in a row that there was no room.
    private var shortages = 0
    /// True if this run of the daemon has read a page, and lives.
    private var hasReadPage = false
    /// True if the records of slices are forgotten with the next write.
    private var forgetsSlices = false

    init(
        id: Int64,
        snapshot: SourceSnapshot,
        stored: StoredSource,
        slices: [String: SliceMemory],
        page: PageUnderWay,
        parts: SourceParts,
        generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.id = id
        self.generator = generator
        self.snapshot = snapshot
        self.stored = stored
        (self.page, self.parts) = (page, parts)
        machine = SourceMachine(
            snapshot.recipe,
            state: stored.state,
            slices: slices,
            now: Self.seconds(parts.now()),
            using: &self.generator
        )
        if let times = stored.attempts, times >= Self.mostAttempts, machine.state.activity == .walking {
            machine.hasEndedDaemon(times: times, now: Self.seconds(parts.now()), using: &self.generator)
        }
        show()
    }

    deinit {
        rows.dropAhead()
        refresh?.cancel()
    }

    private static func seconds(_ moment: Moment) -> Double {
        Double(moment.steady.microseconds) / 1_000_000
    }

    var now: Double { Self.seconds(parts.now()) }

    func show() {
        snapshot.recipe = machine.recipe
        snapshot.state = machine.state
        snapshot.lastReadAt = stored.lastReadAt.map { Timestamp(microseconds: $0) }
        snapshot.file = stored.file
    }

    // MARK: - What is asked for

    /// Applies a request, and makes its result durable.
    func apply(_ request: SourceRunner.Request) async throws(ControlError) {
        // They may be of another recipe then, or of none.
        rows.dropAhead()
        if request.cutsPageShort { dropRefresh() }
        let before = (machine, stored, snapshot, forgetsSlices)
        switch request {
        case .poll(let fetchesMissing): machine.poll(fetchesMissing: fetchesMissing, now: now)
        case .more: machine.more()
        case .pause(let reason): machine.pause(reason)
        case .resume: machine.resume()
        case .change(let read, let file, let reset):
            switch reset {
            case nil: if machine.change(read.recipe, now: now) { forgetsSlices = true }
            case .cursor?:
                machine.reset(read.recipe, now: now)
                forgetsSlices = true
            case .keys?:
                machine.reset(read.recipe, now: now)
                stored.isForgetting = true
            }
            stored.file = file
            stored.recipe = read.answer
            (snapshot.recipeText, snapshot.shownRecipe) = (read.text, read.shown)
            rows.close()
        case .remove: isRemoved = true
        }
        do throws(ControlError) {
            try await commit(SourceWrite(row))
        } catch {
            (machine, stored, snapshot, forgetsSlices) = before
            isRemoved = false
            throw error
        }
        snapshot.isHeld = false
        dropFiles()
        show()
    }

    /// Removes the files that nobody reads on in.
    private func dropFiles() {
        guard isRemoved || machine.state.list == nil else { return }
        rows.close()
        PageFile.remove("\(parts.configuration.pagesDirectory)/\(id).list")
        if isRemoved { PageFile.remove("\(parts.configuration.pagesDirectory)/\(id).page") }
    }

    // MARK: - Steps

    /// Does what is next.
    func step() async -> Next {
        snapshot.pacedUntil = nil
        snapshot.shortage = nil
        guard !isRemoved else { return .rest(seconds: nil) }
        if stored.isForgetting {
            let isKept: Void? = try? await commit(SourceWrite(row))
            return isKept == nil ? lacksRoom(Self.fullStore) : .again
        }
        // A server isn't asked for a page that then can't be kept.
        if shortages > 0, (try? await commit(SourceWrite(row))) == nil { return lacksRoom(Self.fullStore) }
        do {
            try await countUnfinished()
        } catch {
            parts.logger.warning("the source \(machine.recipe.name) can't read the job store: \(error)")
            return .rest(seconds: Self.roomIntervals.lowerBound)
        }
        let before = machine
        let next = machine.next(unfinished: unfinished.atMost, now: now)
        snapshot.isHeld = if case .hold = next { true } else { false }
        defer { show() }
        if case .read = next {} else { rows.dropAhead() }
        switch next {
        case .hold(let until):
            unfinished.forget()
            // The last of its jobs may have gone on between the count and this.
            guard machine.recipe.mode == .lazy else { return .rest(seconds: Self.longestHold) }
            return .rest(seconds: until.map { min(max(0, $0 - now), Self.longestRest) })
        case .rest(let until):
            unfinished.forget()
            if machine.state.activity == .walking { snapshot.pacedUntil = until }
            return .rest(seconds: until.map { min(max(0, $0 - now), Self.longestRest) })
        case .read(let plan):
            do throws(ControlError) {
                return try await read(plan)
            } catch .stopping {
                return .rest(seconds: nil)
            } catch {
                // Nothing was written: the page is read again.
                machine.takeBack(to: before)
                return lacksRoom(Self.fullStore)
            }
        }
    }

    private static let fullStore = "the job store's disk has no room for the jobs of its next page"

    /// Waits for room on a disk, which is no failure of the source: the page is asked for again.
    func lacksRoom(_ words: String) -> Next {
        snapshot.shortage = words
        defer { shortages += 1 }
        return .rest(seconds: Self.roomIntervals.doubled(times: shortages))
    }

    /// Counts the jobs that a following source may not go too far ahead of.
    private func countUnfinished() async throws {
        let recipe = machine.recipe
        guard recipe.mode == .follow, machine.state.pause == nil else { return unfinished.forget() }
        guard unfinished.isDue(ahead: recipe.ahead) else { return }
        unfinished.count(
            try await parts.queries.unfinishedJobs(ofSource: recipe.name, upTo: recipe.ahead + 1)
        )
    }

    // MARK: - Writing

    /// The change written before a page is read, so that one that ends the daemon isn't read at each start;
    /// nil where this run of the daemon has read pages, which costs no write then.
    var attempt: SourceWrite? {
        guard !hasReadPage || stored.attempts != nil else { return nil }
        var row = row
        var present = stored
        present.state = machine.state
        present.attempts = (stored.attempts ?? 0) + 1
        row.state = present.text
        return SourceWrite(row)
    }

    /// Notes that something has come of a page, and the daemon lives.
    func noteRead() {
        hasReadPage = true
        stored.attempts = nil
    }

    /// True if rows may be read before those that precede them are kept.
    ///
    /// Before this run of the daemon has kept a page, it reads none ahead: should reading one end the daemon,
    /// the next run must know which it was.
    var mayReadAhead: Bool { hasReadPage && stored.attempts == nil }

    /// Notes that a server has answered.
    func noteAnswer() { stored.lastReadAt = parts.now().wall.microseconds }

    /// True if keys are still being forgotten.
    var isForgetting: Bool { stored.isForgetting }

    var row: SourceRow {
        var present = stored
        present.state = machine.state
        return SourceRow(
            id: id,
            name: isRemoved ? nil : machine.recipe.name,
            recipe: snapshot.recipeText,
            state: present.text
        )
    }

    /// Writes the source with what came of a page, which then counts.
    func commit(
        page record: PageRecord,
        keys: [SourceWrite.Key] = [],
        new: [PageItem] = []
    ) async throws(ControlError) {
        var write = SourceWrite(row)
        write.page = StoredSource.text(of: record)
        write.keys = keys
        let recipe = machine.recipe
        if recipe.queue == .fleet {
            let least = parts.now().wall.microseconds
            write.handed = new.map { $0.handed(least: least, of: recipe, region: machine.state.region) }
        }
        try await commit(write, jobs: recipe.queue == .fleet ? [] : new.map(\.job))
        unfinished.add(write.handed.count)
        shortages = 0
        snapshot.totals.count(record)
    }

    /// Writes the source, and with it the jobs of its page.
    func commit(_ given: SourceWrite, jobs: [NewJob] = []) async throws(ControlError) {
        var write = given
        write.row = row
        write.forgets = isRemoved || stored.isForgetting ? .keys : forgetsSlices ? .slices : .nothing
        write.slices = machine.takeFinishedSlices().map { key, memory in
            SliceRow(key: key, body: StoredSource.text(of: memory))
        }
        if jobs.isEmpty {
            try await parts.control.keep(write)
        } else {
            _ = try await parts.control.submit(Submission(items: jobs, submittedBy: nil, source: write))
            unfinished.add(jobs.count)
        }
        forgetsSlices = false
        // Of very many keys some are left.
        if stored.isForgetting {
            stored.isForgetting = (try? await parts.queries.hasKeys(source: id)) ?? true
        }
    }
}
