import JobEngine
import JobModel
import SourceCore
import Vocabulary

/// Reading pages, and what becomes of them.
extension SourceWork {
    /// The mask that hides the recipe's secrets in a server's words.
    var mask: SecretMask { SecretMask(parts.secrets.texts(machine.recipe.secrets)) }

    /// Reads a page, and writes what comes of it.
    func read(_ plan: PagePlan) async throws(ControlError) -> Next {
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
        if recipe.kind.isStreamed, !plan.part.isList {
            return try await readRows(plan, ListVisit(visit: visit))
        }
        try await note(request: recipe)
        if let attempt {
            let control = parts.control
            visit.willRead = { () async throws(ControlError) in try await control.keep(attempt) }
        }
        let asked = visit
        guard let (result, record) = await page.run({ await asked.run(plan) }) else { return .cutShort }
        return try await handle(result, record, plan)
    }

    /// Takes note of a request where there is a pace: before it is made, so that no kill makes it faster.
    func note(request recipe: Recipe) async throws(ControlError) {
        guard recipe.pace != nil else { return }
        let before = machine
        machine.asked(now: now)
        do throws(ControlError) {
            try await commit(SourceWrite(row))
        } catch {
            machine = before
            throw error
        }
    }

    /// Takes in what came of a page, and writes that.
    func handle(
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
            machine.failed(
                failure,
                retryAfter: retryAfter,
                at: record.url,
                isOffline: isOffline(for: record.url),
                now: now,
                using: &generator
            )
        case .unchanged(let response):
            noteAnswer()
            machine.pageUnchanged(response, now: now, using: &generator)
        case .slices(let list, let response):
            noteAnswer()
            (record.items, record.bad) = (list.slices.count, list.bad)
            record.complaints = [list.complaint].compactMap { $0?.limited(toBytes: 300) }
            machine.manifestRead(list, response, at: plan.cursor, now: now, using: &generator)
        case .page(let content, let response):
            noteAnswer()
            return try await accept(content, response, record, plan)
        }
        noteRead()
        try await commit(page: record)
        return .again
    }

    /// Returns whether the machine reaches no server, as far as is known, unless the URL's is the machine itself.
    private func isOffline(for url: String) -> Bool {
        parts.control.isOffline && (try? JobURL(url))?.isLoopback != true
    }

    /// Takes in the contents of a page: what is new in it becomes jobs.
    private func accept(
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
            return .rest(seconds: Self.roomIntervals.lowerBound)
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
        let complaints = content.badItems.map {
            "item \($0.number): \(mask.maskedExcerpt($0.message).limited(toBytes: 300))"
        }
        record.complaints = content.notes.map { mask.maskedExcerpt($0).limited(toBytes: 300) } + complaints
        let report = PageReport(
            content,
            complaints: complaints,
            new: new.count,
            newToWalk: keys.map { recent.unmet($0, in: list) } ?? content.listed
        )
        guard machine.pageRead(report, response, at: plan.cursor, now: now, using: &generator) else {
            return .again
        }
        noteRead()
        (record.items, record.new, record.bad) = (content.listed, new.count, content.bad)
        // Before the page is kept: after a kill between the two it is read again, and mending a job
        // twice is harmless. Root may, and so may the source itself, whose job it is.
        for (job, url) in selection.mended {
            _ = try? await parts.control.steer(.retry(url: url, by: 0), job: job)
        }
        for (job, url) in selection.newer { parts.links.note(url, of: job) }
        let newKeys = new.enumerated().map { SourceWrite.Key(hash: $0.element.hash, item: $0.offset) }
        try await commit(page: record, keys: newKeys, new: new)
        // A page that could not be kept is read again, and is new to the walk then.
        if let keys { recent.insert(keys, of: list) }
        return .again
    }

    /// The keys that a page lists; nil for a list in rows, of which each comes once.
    private func listedKeys(of content: PageContent) -> Set<ItemHash>? {
        machine.recipe.kind.isStreamed ? nil : Set(content.listedKeys.map { ItemHash(ofKey: $0) })
    }
}
