import SourceCore
import Vocabulary

extension SourceEngine {
    public func tryOut(_ order: RecipeOrder, page: GivenPage?) async throws(SourceRefusal) -> SourceTrial {
        var order = order
        // A recipe that is tried need not be named.
        order.name = nil
        order.fallback = order.fallback ?? RecipeOrder.trialName
        let asked = order
        return try await inTime { () async throws(SourceRefusal) in try await self.tried(asked, page) }
    }

    private func tried(_ order: RecipeOrder, _ page: GivenPage?) async throws(SourceRefusal) -> SourceTrial {
        let recipe = try await checked(try await parts.read(order), order).read.recipe
        let mask = SecretMask(parts.secrets.texts(recipe.secrets))
        var generator = SystemRandomNumberGenerator()
        let seconds = Double(parts.now().steady.microseconds) / 1_000_000
        var machine = SourceMachine(recipe, now: seconds, using: &generator)
        let visit = PageVisit(
            recipe: recipe,
            pages: parts.pages,
            reader: parts.reader,
            secrets: parts.secrets,
            file: "\(parts.configuration.pagesDirectory)/try.\(UInt64.random(in: 1...(.max)))",
            now: parts.now,
            asker: order.asker,
            isTrial: true
        )
        // What the lists of slices have, told before what the page has.
        var lists: [String] = []
        while true {
            guard case .read(let plan) = machine.next(unfinished: 0, now: seconds) else {
                let words =
                    lists.isEmpty
                    ? "the recipe's list of slices is empty"
                    : "there is no slice to read: " + lists.joined(separator: "; ")
                throw .page(SourceFailure(.unexpectedShape, words))
            }
            let result: PageResult
            let record: PageRecord
            if let page, !plan.part.isList {
                (result, record) = await given(page, visit, plan)
            } else {
                (result, record) = await first(visit, plan)
            }
            switch result {
            case .page(let content, _):
                var trial = SourceTrial(content, request: record.url, mask: mask)
                trial.notes = lists.map(mask.maskedExcerpt) + trial.notes
                return trial
            case .slices(let list, let response):
                lists.append(Self.words(of: list, in: plan.part.slice))
                // One part is enough to see how they are.
                machine.manifestRead(
                    SliceList(Array(list.slices.prefix(1))),
                    response,
                    now: seconds,
                    using: &generator
                )
            case .otherRegion(let region):
                throw .page(
                    SourceFailure(.unauthorized, "the bucket is in the region \(region); set s3.region")
                )
            case .failed(let failure, _): throw .page(mask.masked(failure))
            case .noRoom(let words): throw .page(SourceFailure(.connection, words))
            case .unchanged, .cancelled:
                throw .page(SourceFailure(.connection, "the page was given up"))
            }
        }
    }

    /// A sentence about a page of a list of slices, for who tries a recipe.
    private static func words(of list: SliceList, in parent: Slice?) -> String {
        let place = parent.map { " of \($0.key.limited(toBytes: 100))" } ?? ""
        var words = "the list of slices\(place) has \(list.slices.isEmpty ? "none" : "\(list.slices.count)")"
        if let first = list.slices.first {
            words += ", the first of them \(first.key.limited(toBytes: 100))"
            let variables = first.variables.sorted { $0.key < $1.key }
                .map { "\($0.key): \($0.value.limited(toBytes: 100))" }
            if !variables.isEmpty { words += " (\(variables.joined(separator: ", ")))" }
        }
        if list.bad > 0 { words += "; \(list.bad) could not be read: \(list.complaint ?? "")" }
        if case .url(let url) = list.next {
            words += "; its next page is \(UserInformation.masked(url: url).limited(toBytes: 200))"
        }
        return words
    }

    private func first(_ visit: PageVisit, _ plan: PagePlan) async -> PageVisit.Outcome {
        guard visit.recipe.kind.isStreamed, !plan.part.isList else { return await visit.run(plan) }
        let list = ListVisit(visit: visit)
        defer { PageFile.remove(visit.file) }
        let (arrival, record) = await list.fetch(plan)
        switch arrival {
        case .result(let result): return (result, record)
        case .here(_, let response):
            var (result, rows) = await list.rows(plan, response)
            if case .page(var content, let response) = result {
                content.next = .end
                result = .page(content, response)
            }
            rows.url = record.url
            return (result, rows)
        }
    }

    /// A page that somebody has fetched, as if it had been asked for.
    private func given(_ page: GivenPage, _ visit: PageVisit, _ plan: PagePlan) async -> PageVisit.Outcome {
        var record = visit.record(of: plan)
        defer { PageFile.remove(visit.file) }
        do throws(SourceFailure) {
            let address = try PageAddress(plan, of: visit.recipe, region: nil, secrets: visit.secrets)
            record.url = address.shown
            if let failure = visit.pages.keep(Array(page.text.utf8), in: visit.file) {
                throw SourceFailure(.connection, "there is no place for the page: \(failure.message)")
            }
            let listed = try await visit.listed(
                ListerRequest(
                    id: 0,
                    path: visit.file,
                    url: address.shown,
                    links: page.head?.links ?? [:],
                    headers: page.head?.fields ?? [:],
                    variables: address.variables.visible
                ),
                by: ListerProgram(visit.recipe)
            )
            let content = try PageContent(
                listed,
                of: visit.recipe,
                at: URLReference(visit.recipe.kind == .s3 ? address.base : address.url.text),
                address.variables,
                mask: address.mask
            )
            return (.page(content, SourceMachine.Response()), record)
        } catch {
            return (.failed(error, retryAfter: nil), record)
        }
    }
}

extension SourceTrial {
    init(_ content: PageContent, request: String, mask: SecretMask) {
        self.request = request
        items = content.items.map(\.job)
        bad = content.bad
        complaints = content.badItems.map { "item \($0.number): \(mask.maskedExcerpt($0.message))" }
        notes = ([content.seen].compactMap(\.self) + content.notes).map(mask.maskedExcerpt)
        (more, total) = (content.more, content.total)
        sitemaps = content.children.map { (UserInformation.masked(url: $0.url ?? ""), $0.changed) }
        switch content.next {
        case .url(let url): next = url
        case .post(let url, let json): next = url ?? json
        case .bucket(.token(let token)): next = "continuation-token=\(token)"
        case .bucket(.after(let key)): next = "start-after=\(key)"
        case .bucket(.marker(let key)): next = "marker=\(key)"
        case .row, .absent, .end: next = nil
        }
    }
}
