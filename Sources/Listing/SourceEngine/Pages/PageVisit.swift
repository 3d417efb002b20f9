import JobCore
import JobEngine
import JobModel
import SourceCore
import Vocabulary

/// Requests one page and lets a lister read it; what follows is decided elsewhere.
struct PageVisit: Sendable {
    let recipe: Recipe
    /// The bucket's region, where it was corrected.
    var region: String?
    let pages: any PagePort
    let reader: any ReaderPort
    let secrets: SecretsFolder
    /// The file that the page goes to.
    let file: String
    let now: @Sendable () -> Moment
    /// The client on whose behalf it is read.
    var asker = ListerAsker.daemon
    /// True if a person waits for it.
    var isTrial = false
    /// A step that the reading of the page waits for.
    var willRead: (@Sendable () async throws(ControlError) -> Void)?

    /// A page's result, and the line that tells of it.
    typealias Outcome = (result: PageResult, record: PageRecord)

    /// Requests the page of a plan, and reads it.
    func run(_ plan: PagePlan) async -> Outcome {
        var record = record(of: plan)
        let result: PageResult
        do throws(SourceFailure) {
            var address = try PageAddress(plan, of: recipe, region: region, secrets: secrets)
            record.url = address.shown
            address.body = try await body(plan, address)
            result = try await visit(plan, address, &record)
        } catch {
            result = .failed(error, retryAfter: nil)
        }
        PageFile.remove(file)
        if case .failed(let failure, _) = result { record.error = failure.code.rawValue }
        return (result, record)
    }

    /// A line of the list of pages that says nothing yet.
    func record(of plan: PagePlan) -> PageRecord {
        PageRecord(
            time: now().wall.microseconds,
            url: "",
            slice: plan.part.slice?.key,
            page: plan.cursor.page
        )
    }

    /// Has a lister make the body with which a page is asked for; nil where it is asked for without one.
    private func body(_ plan: PagePlan, _ address: PageAddress) async throws(SourceFailure) -> String? {
        guard recipe.request != nil, !plan.part.isList else { return nil }
        let next = if case .post(_, let json) = plan.cursor.place { json } else { "null" }
        if let failure = pages.keep(Array(next.utf8), in: file) {
            throw SourceFailure(.connection, "there is no place for the page: \(failure.message)")
        }
        var asked = ListerRequest(
            id: 0,
            path: file,
            url: address.shown,
            page: plan.cursor.page,
            offset: plan.cursor.offset,
            variables: address.variables.visible
        )
        asked.asksBody = true
        guard let body = try await listed(asked, by: ListerProgram(recipe)).page.body else {
            throw SourceFailure(.unexpectedShape, "request.body: this gives nothing")
        }
        return body
    }

    private func visit(
        _ plan: PagePlan,
        _ address: PageAddress,
        _ record: inout PageRecord
    ) async throws(SourceFailure) -> PageResult {
        let answer: PageAnswer
        switch await fetch(plan, address, limit: Int64(recipe.limits.pageBytes), &record) {
        case .answer(let got): answer = got
        case .result(let result, let refusal): return await explained(result, refusal, address)
        }
        var response = response(answer, address)
        if answer.status == 304 { return .unchanged(response) }
        response.sha256 = PageFile.sha256(file)
        if plan.mayBeUnchanged, let before = plan.validators?.sha256, before == response.sha256 {
            return .unchanged(response)
        }
        return try await read(plan, address, answer, response)
    }

    // MARK: - Asking

    /// The result of a request: an answer to go on with, or an end.
    enum Fetched {
        case answer(PageAnswer)
        /// With the answer, if there was one.
        case result(PageResult, PageAnswer?)
    }

    /// The request for a plan's page.
    private func request(_ plan: PagePlan, _ address: PageAddress, limit: Int64) -> PageRequest {
        var request = PageRequest(url: address.url, file: file, maximumLength: limit)
        request.fields = address.fields
        request.body = address.body
        // Only GET may be conditional in this way (RFC 9110 §13.1.2).
        if address.body == nil {
            request.fields += (plan.validators?.fields ?? []).map { .init(name: $0.name, value: $0.value) }
        }
        request.ownFields = address.ownFields
        request.isTrial = isTrial
        if case .user(let user) = asker { request.user = user }
        request.signature = address.signature
        // A long list may take its time.
        if recipe.kind.isStreamed, !plan.part.isList { request.timeLimit = nil }
        request.plainHTTP = recipe.insecure
        return request
    }

    /// Asks for a plan's page; once more without a condition where another URL than that of the page says that
    /// nothing has changed, since its ETag may be the same by chance (RFC 9110 §8.8.3).
    func fetch(
        _ plan: PagePlan,
        _ address: PageAddress,
        limit: Int64,
        _ record: inout PageRecord
    ) async -> Fetched {
        let asked = request(plan, address, limit: limit)
        let isConditional = address.body == nil && plan.validators?.fields.isEmpty == false
        let fetched = await fetch(asked, conditional: isConditional, &record)
        guard case .answer(let answer) = fetched, answer.status == 304, let validators = plan.validators,
            validators.url != response(answer, address).url
        else { return fetched }
        var again = plan
        again.validators = validators.unconditional
        return await fetch(request(again, address, limit: limit), conditional: false, &record)
    }

    /// Sends a request, and finds the meaning of an answer that brings no page.
    private func fetch(
        _ request: PageRequest,
        conditional: Bool,
        _ record: inout PageRecord
    ) async -> Fetched {
        let began = now()
        let result = await pages.fetch(request)
        record.milliseconds = Int(now().seconds(since: began) * 1000)
        switch result {
        case .failure(.cancelled): return .result(.cancelled, nil)
        case .failure(.tooLarge):
            let words =
                "the page has more than \(request.maximumLength) bytes; ask for smaller pages, or raise limits.page_bytes"
            return .result(.failed(SourceFailure(.tooLarge, words), retryAfter: nil), nil)
        case .failure(.storage(let failure)) where failure.code == .diskFull:
            return .result(.noRoom("the disk has no room for its next page: \(failure.message)"), nil)
        case .failure(.connection(let failure)) where failure.code == .outOfResources,
            .failure(.storage(let failure)) where failure.code == .outOfResources:
            return .result(.noRoom("its next page waits: \(failure.message)"), nil)
        case .failure(.connection(let failure)), .failure(.storage(let failure)):
            return .result(.failed(SourceFailure(.connection, failure.message), retryAfter: nil), nil)
        case .failure(.refused(let failure)):
            return .result(.failed(SourceFailure(.connection, failure.message), retryAfter: nil), nil)
        case .success(let answer):
            record.status = answer.status
            record.bytes = answer.length
            let limited = answer.rateLimit(now: now().wall)
            let retryAfter = answer.retryAfter(now: now().wall) ?? limited
            if answer.status == 403, let limited {
                return .result(
                    .failed(
                        SourceFailure(rateLimitOf: answer.status),
                        retryAfter: max(limited, retryAfter ?? 0)
                    ),
                    answer
                )
            }
            if let failure = SourceFailure(status: answer.status, wasConditional: conditional) {
                return .result(.failed(failure, retryAfter: retryAfter), answer)
            }
            return .answer(answer)
        }
    }

    /// A bucket's error with the bucket's own words, which are in its body.
    private func explained(
        _ result: PageResult,
        _ refusal: PageAnswer?,
        _ address: PageAddress
    ) async -> PageResult {
        guard recipe.kind == .s3, case .failed(_, let retryAfter) = result, let refusal else { return result }
        var error = S3Error(status: refusal.status)
        // Some redirects name the region in their head alone.
        error.region = refusal.values("x-amz-bucket-region").first
        error.clockDifference = refusal.seconds("date").map {
            $0 - Double(now().wall.microseconds) / 1_000_000
        }
        let answer = await reader.read(
            ListerRequest(id: 0, path: file, url: address.base),
            by: ListerProgram(recipe),
            for: asker
        )
        if case .failure(let failure) = answer {
            error.code = failure.bucketCode
            error.region = failure.region ?? error.region
        }
        let asked = region ?? recipe.s3?.region ?? "us-east-1"
        if region == nil, let other = error.correction(asked: asked) { return .otherRegion(other) }
        return .failed(error.failure(region: asked), retryAfter: retryAfter)
    }

    /// Returns a response's data besides its page.
    func response(_ answer: PageAnswer, _ address: PageAddress) -> SourceMachine.Response {
        var response = SourceMachine.Response()
        response.head = PageHead(answer)
        response.url = address.variables.unfilled(answer.url.text)
        response.contentType = answer.values("content-type").first.map { address.mask.masked($0) }
            .flatMap { $0.utf8.count <= 200 ? $0 : nil }
        return response
    }

    // MARK: - Reading

    private func read(
        _ plan: PagePlan,
        _ address: PageAddress,
        _ answer: PageAnswer,
        _ response: SourceMachine.Response
    ) async throws(SourceFailure) -> PageResult {
        let program =
            switch plan.part {
            case .manifest: ListerProgram(slicesOf: recipe)
            case .list: ListerProgram(slicesOf: recipe, isNested: true)
            case .pages: Optional(ListerProgram(recipe))
            }
        guard let program else { throw SourceFailure(.unexpectedShape, "the recipe has no slices") }
        let links = LinkField.byRelation(answer.values("link"))
        var headers: [String: String] = [:]
        for field in answer.fields where headers[field.name.lowercased()] == nil {
            headers[field.name.lowercased()] = field.value
        }
        let asked = ListerRequest(
            id: 0,
            path: file,
            url: recipe.kind == .s3 && !plan.part.isList ? address.base : response.url,
            page: plan.cursor.page,
            offset: plan.cursor.offset,
            links: links,
            headers: headers,
            variables: address.variables.visible
        )
        do throws(ControlError) { try await willRead?() } catch {
            guard error == .outOfSpace else { return .cancelled }
            return .noRoom("the disk has no room for its next page: the job store's disk is full")
        }
        let listed = try await listed(asked, by: program)
        if plan.part.isList {
            let url = URLReference(answer.url.text)
            return .slices(try SliceList(listed, at: url, address.variables, mask: address.mask), response)
        }
        var response = response
        response.unwanted = Double(listed.page.ttl ?? 0)
        let base = URLReference(recipe.kind == .s3 ? address.base : answer.url.text)
        return .page(
            try PageContent(listed, of: recipe, at: base, address.variables, mask: address.mask),
            response
        )
    }

    /// Lets a lister read a page; its failures become the source's.
    func listed(
        _ request: ListerRequest,
        by program: ListerProgram
    ) async throws(SourceFailure) -> ListerAnswer {
        switch await reader.read(request, by: program, for: asker) {
        case .success(let answer): return answer
        case .failure(let failure):
            let code = SourceFailure.Code(rawValue: failure.code) ?? .unexpectedShape
            throw SourceFailure(code, failure.message, excerpt: failure.excerpt)
        }
    }
}
