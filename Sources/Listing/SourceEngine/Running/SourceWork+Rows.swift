import JobEngine
import JobModel
import SourceCore

/// Reading lists in rows, a piece at a time.
extension SourceWork {
    /// Reads the rows of a list that come next, and writes what comes of them.
    func readRows(_ plan: PagePlan, _ visit: ListVisit) async throws(ControlError) -> Next {
        // Which list is read on in, the machine says; without one, it begins with another.
        if rows.list?.sha256 != machine.state.list { rows.close() }
        if rows.list == nil, let next = try await openList(plan, visit) { return next }
        guard let open = rows.list else { return .again }
        if let attempt { try await parts.control.keep(attempt) }
        let outcome = rows.outcome(of: plan, in: open, by: visit)
        guard let (result, record) = await page.run(outcome) else { return .cutShort }
        if case .failed = result { rows.close() }
        if case .page(let content, let response) = result { readAhead(content, response, plan, open, visit) }
        let next = try await handle(result, record, plan)
        if case .page(let content, _) = result, case .row(let row) = content.next,
            machine.state.walk?.cursor.place == .row(row)
        {
            rows.readOn(from: content.place)
        }
        // The file stays until its last piece is kept.
        if machine.state.list == nil {
            rows.close()
            PageFile.remove(visit.visit.file)
        }
        return next
    }

    /// Opens the list in which the machine reads on, or else fetches another; returns what follows where there is
    /// nothing to read yet.
    private func openList(_ plan: PagePlan, _ visit: ListVisit) async throws(ControlError) -> Next? {
        if let known = machine.state.list, PageFile.sha256(visit.visit.file) == known {
            var response = SourceMachine.Response()
            response.contentType = machine.state.listType
            rows.open(OpenList(sha256: known, response: response))
            return nil
        }
        try await note(request: visit.visit.recipe)
        guard let (arrival, record) = await page.run({ await visit.fetch(plan) }) else {
            PageFile.remove(visit.visit.file)
            return .cutShort
        }
        switch arrival {
        case .result(let result): return try await handle(result, record, plan)
        case .here(let hash, let response):
            machine.listArrived(hash, contentType: response.contentType, now: now)
            try await commit(SourceWrite(row))
            rows.open(OpenList(sha256: hash, response: response))
            return .again
        }
    }

    /// Begins to read the rows that come after these, which are yet to be kept.
    private func readAhead(
        _ content: PageContent,
        _ response: SourceMachine.Response,
        _ plan: PagePlan,
        _ list: OpenList,
        _ visit: ListVisit
    ) {
        guard mayReadAhead else { return }
        let next = machine.rows(
            after: PageReport(content, new: content.items.count, newToWalk: content.listed),
            response,
            at: plan.cursor,
            unfinished: unfinished.atMost + content.items.count,
            now: now,
            using: &generator
        )
        guard let next else { return }
        rows.readAhead(next, of: list, from: content.place, by: visit)
    }
}
