import JobCore
import JobEngine
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
    static let roomInterval = 5.0
    private static let longestRoomInterval = 60.0
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
    private let page: PageUnderWay
    private var stored: StoredSource
    var machine: SourceMachine
    private var generator = SystemRandomNumberGenerator()
    private var recent = RecentKeys()
    private var unfinished = UnfinishedCount()
    /// The list that is read row by row, as it was fetched by this run of the daemon.
    private var list: OpenList?
    /// Its rows after those that are being kept.
    private var ahead: RowsAhead?
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
        parts: SourceParts
    ) {
        self.id = id
        self.snapshot = snapshot
        self.stored = stored
        (self.page, self.parts) = (page, parts)
        machine = SourceMachine(
            snapshot.recipe,
            state: stored.state,
            slices: slices,
            now: Self.seconds(parts.now()),
            using: &generator
        )
        if let times = stored.attempts, times >= Self.mostAttempts, machine.state.activity == .walking {
            machine.hasEndedDaemon(times: times, now: Self.seconds(parts.now()), using: &generator)
        }
        show()
    }

    deinit {
        ahead?.cancel()
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
        dropAhead()
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
            list = nil
        case .remove: isRemoved = true
        }
        do throws(ControlError) {
            try await keep(SourceWrite(row))
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
        list = nil
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
            let isKept: Void? = try? await keep(SourceWrite(row))
            return isKept == nil ? lacksRoom(Self.fullStore) : .again
        }
        // A server isn't asked for a page that then can't be kept.
        if shortages > 0, (try? await keep(SourceWrite(row))) == nil { return lacksRoom(Self.fullStore) }
        do {
            try await countUnfinished()
        } catch {
            parts.logger.warning("the source \(machine.recipe.name) can't read the job store: \(error)")
            return .rest(seconds: Self.roomInterval)
        }
        let before = machine
        let next = machine.next(unfinished: unfinished.atMost, now: now)
        snapshot.isHeld = if case .hold = next { true } else { false }
        defer { show() }
        if case .read = next {} else { dropAhead() }
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
    private func lacksRoom(_ words: String) -> Next {
        snapshot.shortage = words
        defer { shortages += 1 }
        let doubled = Self.roomInterval * Double(1 << min(shortages, 10))
        return .rest(seconds: min(doubled, Self.longestRoomInterval))
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

    private func read(_ plan: PagePlan) async throws(ControlError) -> Next {
        let recipe = machine.recipe
        var visit = PageVisit(
            recipe: recipe,
            region: machine.state.region,
            pages: parts.pages,
            reader: parts.reader,
            secrets: parts.secrets,
            file: "\(parts.configuration.pagesDirectory)/\(id).\(recipe.kind.isStreamed ? "list" : "page")",
            now: parts.now,
            asker: .source(id)
        )
        if recipe.kind.isStreamed, plan.part != .manifest {
            return try await readRows(plan, ListVisit(visit: visit))
        }
        try await note(request: recipe)
        if let attempt {
            let control = parts.control
            visit.willRead = { () async throws(ControlError) in try await control.keep(attempt) }
        }
        let asked = visit
        guard let (result, record) = await page.run({ await asked.run(plan) }) else { return .cutShort }
        return try await take(result, record, plan)
    }

    /// The change written before a page is read, so that one that ends the daemon isn't read at each start;
    /// nil where this run of the daemon has read pages, which costs no write then.
    private var attempt: SourceWrite? {
        guard !hasReadPage || stored.attempts != nil else { return nil }
        var row = row
        var present = stored
        present.state = machine.state
        present.attempts = (stored.attempts ?? 0) + 1
        row.state = present.text
        return SourceWrite(row)
    }

    /// Something has come of a page, and the daemon lives.
    private func hasRead() {
        hasReadPage = true
        stored.attempts = nil
    }

    /// Takes note of a request where there is a pace: before it is made, so that no kill makes it faster.
    private func note(request recipe: Recipe) async throws(ControlError) {
        guard recipe.pace != nil else { return }
        let before = machine
        machine.asked(now: now)
        do throws(ControlError) {
            try await keep(SourceWrite(row))
        } catch {
            machine = before
            throw error
        }
    }

    private func readRows(_ plan: PagePlan, _ visit: ListVisit) async throws(ControlError) -> Next {
        // Which list is read on in, the machine says; without one, it begins with another.
        if list?.sha256 != machine.state.list { list = nil }
        if list == nil {
            if let known = machine.state.list, PageFile.sha256(visit.visit.file) == known {
                list = OpenList(sha256: known, response: SourceMachine.Response())
            } else {
                try await note(request: visit.visit.recipe)
                guard let (arrival, record) = await page.run({ await visit.fetch(plan) }) else {
                    PageFile.remove(visit.visit.file)
                    return .cutShort
                }
                switch arrival {
                case .result(let result): return try await take(result, record, plan)
                case .here(let hash, let response):
                    machine.listArrived(hash, now: now)
                    try await keep(SourceWrite(row))
                    list = OpenList(sha256: hash, response: response)
                    return .again
                }
            }
        }
        guard let open = list else { return .again }
        if let attempt { try await parts.control.keep(attempt) }
        let outcome: @Sendable () async -> PageVisit.Outcome
        if let ahead, ahead.isOf(plan, open) {
            outcome = ahead.outcome
            self.ahead = nil
        } else {
            dropAhead()
            outcome = { await visit.rows(plan, open.response, from: open.place) }
        }
        guard let (result, record) = await page.run(outcome) else { return .cutShort }
        if case .failed = result { list = nil }
        if case .page(let content, let response) = result { readAhead(content, response, plan, open, visit) }
        let next = try await take(result, record, plan)
        if case .page(let content, _) = result, case .row(let row) = content.next,
            machine.state.walk?.cursor.place == .row(row)
        {
            list?.place = content.place
        }
        // The file stays until its last piece is kept.
        if machine.state.list == nil {
            list = nil
            PageFile.remove(visit.visit.file)
        }
        return next
    }

    /// Begins to read the rows that come after these, which are yet to be kept.
    ///
    /// Before this run of the daemon has kept a page, it reads none ahead: should reading one end the daemon,
    /// the next run must know which it was.
    private func readAhead(
        _ content: PageContent,
        _ response: SourceMachine.Response,
        _ plan: PagePlan,
        _ list: OpenList,
        _ visit: ListVisit
    ) {
        guard hasReadPage, stored.attempts == nil else { return }
        let next = machine.rows(
            after: PageReport(content, new: content.items.count, newToWalk: content.listed),
            response,
            at: plan.cursor,
            unfinished: unfinished.atMost + content.items.count,
            now: now,
            using: &generator
        )
        guard let next else { return }
        ahead = RowsAhead(next, of: list, from: content.place, by: visit)
    }

    private func dropAhead() {
        ahead?.cancel()
        ahead = nil
    }

    // MARK: - What comes of a page

    /// The mask that hides the recipe's secrets in a server's words.
    var mask: SecretMask { SecretMask(parts.secrets.texts(machine.recipe.secrets)) }

    private func take(
        _ result: PageResult,
        _ given: PageRecord,
        _ plan: PagePlan
    ) async throws(ControlError) -> Next {
        var record = given
        switch result {
        case .cancelled: return .cutShort
        case .noRoom(let words): return lacksRoom(words)
        case .otherRegion(let region):
            parts.logger.notice("the bucket of the source \(machine.recipe.name) is in the region \(region)")
            machine.correct(region: region)
            return .again
        case .failed(let told, let retryAfter):
            let failure = mask.masked(told)
            parts.logger.warning("the source \(machine.recipe.name): \(failure.message)")
            machine.failed(failure, retryAfter: retryAfter, now: now, using: &generator)
        case .unchanged(let response):
            stored.lastReadAt = parts.now().wall.microseconds
            machine.pageUnchanged(response, now: now, using: &generator)
        case .slices(let slices, let response):
            stored.lastReadAt = parts.now().wall.microseconds
            record.items = slices.count
            machine.manifestRead(slices, response, now: now, using: &generator)
        case .page(let content, let response):
            stored.lastReadAt = parts.now().wall.microseconds
            return try await take(content, response, record, plan)
        }
        hasRead()
        var write = SourceWrite(row)
        write.page = StoredSource.text(of: record)
        try await keep(write)
        shortages = 0
        snapshot.totals.count(record)
        return .again
    }

    private func take(
        _ content: PageContent,
        _ response: SourceMachine.Response,
        _ given: PageRecord,
        _ plan: PagePlan
    ) async throws(ControlError) -> Next {
        let known: [ItemHash: KnownItem]
        do {
            known = try await parts.queries.knownItems(content.items.map(\.hash), of: id)
        } catch {
            parts.logger.warning("the source \(machine.recipe.name) can't read the job store: \(error)")
            return .rest(seconds: Self.roomInterval)
        }
        let isForMissing = machine.state.walk?.fetchesMissing == true
        let selection = PageSelection(content.items, known: known) { path in
            isForMissing && !PageFile.exists(path)
        }
        let new = selection.new
        let keys = listedKeys(of: content)
        let walk = machine.state.walk
        let list = RecentKeys.List(walk: walk?.number ?? 0, slice: walk?.slice?.key)
        var record = given
        record.complaints = content.badItems.map {
            "item \($0.number): \(mask.maskedExcerpt($0.message).limited(toBytes: 300))"
        }
        let report = PageReport(
            content,
            complaints: record.complaints,
            new: new.count,
            newToWalk: keys.map { recent.unmet($0, in: list) } ?? content.listed
        )
        guard machine.pageRead(report, response, at: plan.cursor, now: now, using: &generator) else {
            return .again
        }
        hasRead()
        (record.items, record.new, record.bad) = (content.listed, new.count, content.bad)
        var write = SourceWrite(row)
        write.page = StoredSource.text(of: record)
        write.keys = new.enumerated().map { .init(hash: $0.element.hash, item: $0.offset) }
        // Before the page is kept: after a kill between the two it is read again, and mending a job
        // twice is harmless. Root may, and so may the source itself, whose job it is.
        for (job, url) in selection.mended {
            _ = try? await parts.control.steer(.retry(url: url, by: 0), job: job)
        }
        try await keep(write, jobs: new.map(\.job))
        shortages = 0
        // A page that could not be kept is read again, and is new to the walk then.
        if let keys { recent.insert(keys, of: list) }
        snapshot.totals.count(record)
        return .again
    }

    /// The keys that a page lists; nil for a list in rows, of which each comes once.
    private func listedKeys(of content: PageContent) -> Set<ItemHash>? {
        machine.recipe.kind.isStreamed ? nil : Set(content.listedKeys.map { ItemHash(ofKey: $0) })
    }

    /// True if keys are still being forgotten.
    var isForgetting: Bool { stored.isForgetting }

    // MARK: - Writing

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

    /// Writes the source, and with it the jobs of its page.
    func keep(_ given: SourceWrite, jobs: [NewJob] = []) async throws(ControlError) {
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
