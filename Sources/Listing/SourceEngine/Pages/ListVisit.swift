import JobModel
import SourceCore

/// Reads a long list row by row: it is fetched whole, once a walk, and then read in pieces.
struct ListVisit: Sendable {
    /// The most bytes of such a list.
    static let longest: Int64 = 4 << 30
    /// The most rows of a piece.
    static let mostRows = 5000

    let visit: PageVisit

    /// The result of fetching the list.
    enum Arrival: Sendable {
        /// It is here, under this hash.
        case here(sha256: String, SourceMachine.Response)
        /// There is nothing to read.
        case result(PageResult)
    }

    /// Fetches the list; unless all of it is here, nothing stays on the disk.
    func fetch(_ plan: PagePlan) async -> (arrival: Arrival, record: PageRecord) {
        let outcome = await attempt(plan)
        if case .result = outcome.arrival { PageFile.remove(visit.file) }
        return outcome
    }

    private func attempt(_ plan: PagePlan) async -> (arrival: Arrival, record: PageRecord) {
        var record = visit.record(of: plan)
        do throws(SourceFailure) {
            let recipe = visit.recipe
            let address = try PageAddress(plan.first, of: recipe, region: nil, secrets: visit.secrets)
            record.url = address.shown
            switch await visit.fetch(plan, address, limit: Self.longest, &record) {
            case .result(let result, _):
                if case .failed(let failure, _) = result { record.error = failure.code.rawValue }
                return (.result(result), record)
            case .answer(let answer):
                var response = visit.response(answer, address)
                if answer.status == 304 { return (.result(.unchanged(response)), record) }
                guard let hash = PageFile.sha256(visit.file) else {
                    throw SourceFailure(.connection, "the list can't be read from the disk")
                }
                response.sha256 = hash
                if plan.mayBeUnchanged, plan.validators?.sha256 == hash {
                    return (.result(.unchanged(response)), record)
                }
                return (.here(sha256: hash, response), record)
            }
        } catch {
            record.error = error.code.rawValue
            return (.result(.failed(error, retryAfter: nil)), record)
        }
    }

    /// Reads the rows of a plan from the list that is here; `place` is where a compressed one can be begun.
    func rows(
        _ plan: PagePlan,
        _ response: SourceMachine.Response,
        from place: CompressedPlace? = nil
    ) async -> PageVisit.Outcome {
        var record = visit.record(of: plan)
        let began = visit.now()
        let result: PageResult
        do throws(SourceFailure) {
            let recipe = visit.recipe
            let address = try PageAddress(plan.first, of: recipe, region: nil, secrets: visit.secrets)
            record.url = address.shown
            let base = response.url.isEmpty ? address.shown : response.url
            let most = min(Self.mostRows, max(1, recipe.ahead), plan.mostItems)
            var rows = ListerRequest.Rows(most: most, place: place)
            if case .row(let position) = plan.cursor.place {
                (rows.bytes, rows.line, rows.columns) = (position.bytes, position.line, position.columns)
                (rows.delimiter, rows.encoding) = (position.delimiter, position.encoding)
            }
            let listed = try await visit.listed(
                ListerRequest(
                    id: 0,
                    path: visit.file,
                    url: base,
                    page: plan.cursor.page,
                    offset: plan.cursor.offset,
                    headers: response.contentType.map { ["content-type": $0] } ?? [:],
                    variables: address.variables.visible,
                    rows: rows
                ),
                by: ListerProgram(recipe)
            )
            let content = try PageContent(
                listed,
                of: recipe,
                at: URLReference(base),
                address.variables,
                mask: address.mask
            )
            result = .page(content, response)
        } catch {
            record.error = error.code.rawValue
            result = .failed(error, retryAfter: nil)
        }
        record.milliseconds = Int(visit.now().seconds(since: began) * 1000)
        return (result, record)
    }
}

extension PagePlan {
    /// The same source's or slice's first page.
    fileprivate var first: PagePlan {
        var plan = self
        plan.cursor = .start
        return plan
    }
}
