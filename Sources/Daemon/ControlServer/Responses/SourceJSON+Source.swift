import ControlAPI
import JobModel
import SourceCore
import SourceEngine
import Vocabulary

extension SourceJSON {
    /// A source as it is now.
    init(_ source: SourceSnapshot, now: Moment) {
        let until = source.until.map { Self.time($0, now: now) }
        self.init(
            name: source.name,
            kind: source.recipe.kind.rawValue,
            state: Condition(
                code: .known(source.condition),
                until: until,
                reason: source.reason
            ),
            url: UserInformation.masked(url: source.recipe.url.text),
            every: source.recipe.every,
            createdAt: source.createdAt.rfc3339,
            recipe: source.shownRecipe
        )
        let state = source.state
        if let walk = state.walk {
            (pages, items, known, new, bad) = (walk.pages, walk.items, walk.known, walk.new, walk.bad)
            total = walk.total
            // An unchanged list has as many items as before.
            if state.lastStop == .unchanged, walk.items == 0, let listed = state.lastListed {
                (items, known) = (listed, listed)
            }
            self.walk = Walk(
                number: walk.number,
                slice: (walk.slice?.key).map(UserInformation.masked(in:)),
                cursor: state.lastStop == nil ? walk.cursor.words : nil,
                complete: state.lastStop?.isComplete ?? false,
                stop: state.lastStop?.rawValue,
                slicesFailed: walk.badSlices?.count ?? 0,
                badSlices: (walk.badSlices?.named ?? []).map { bad in
                    BadSlice(
                        slice: UserInformation.masked(in: bad.key),
                        url: bad.url,
                        code: bad.failure.code.rawValue,
                        message: bad.failure.message
                    )
                }
            )
        }
        lastReadAt = source.lastReadAt?.rfc3339
        lastError = state.failure.map {
            Failure(code: $0.code.rawValue, message: $0.message, excerpt: $0.excerpt)
        }
        if case .idle = state.activity { nextAt = until }
        if case .waiting = state.activity { nextAt = until }
        if source.recipe.refresh == .ifChanged {
            refresh = state.refresh.map { round in
                Refresh(
                    walk: round.walk,
                    asked: round.counts.asked,
                    changed: round.counts.changed,
                    gone: round.counts.gone,
                    unanswered: round.counts.unanswered,
                    complete: round.isComplete,
                    trouble: round.trouble
                )
            }
        }
        file = source.file
    }

    /// A source that doesn't run, of which nothing but the reason is known.
    init(_ source: UnreadSource) {
        self.init(
            name: source.name,
            kind: "",
            state: Condition(code: .known(source.condition), until: nil, reason: source.message),
            url: "",
            every: nil,
            createdAt: source.createdAt.rfc3339,
            recipe: source.shownRecipe
        )
        lastReadAt = source.lastReadAt?.rfc3339
        lastError = Failure(code: source.code, message: source.message, excerpt: nil)
        file = source.file
    }

    /// Returns the time that the wall clock will show at a moment of the steady one.
    private static func time(_ seconds: Double, now: Moment) -> String {
        now.wall.adding(seconds: seconds - Double(now.steady.microseconds) / 1_000_000).rfc3339
    }
}

extension Cursor {
    /// The place, for people.
    fileprivate var words: String {
        switch place {
        case .first, .post(nil, _): "page \(page)"
        case .post(let url?, _): UserInformation.masked(url: url)
        case .url(let url): UserInformation.masked(url: url)
        case .bucket(.token(let token)): "continuation-token=\(token)"
        case .bucket(.after(let key)): "start-after=\(key)"
        case .bucket(.marker(let key)): "marker=\(key)"
        case .row(let row): "line \(row.line)"
        }
    }
}

extension SourcePageJSON {
    /// A page that was asked for.
    init(_ page: PageRecord) {
        self.init(
            time: Timestamp(microseconds: page.time).rfc3339,
            url: page.url,
            slice: page.slice.map(UserInformation.masked(in:)),
            page: page.page,
            status: page.status,
            bytes: page.bytes,
            items: page.items,
            new: page.new,
            bad: page.bad,
            seconds: Double(page.milliseconds) / 1000,
            error: page.error,
            complaints: page.complaints
        )
    }
}

extension SourceTrialJSON {
    /// Creates it from the result of trying a recipe on a page.
    init(_ trial: SourceTrial) {
        self.init(
            request: trial.request,
            items: trial.items.map { item in
                Item(
                    url: item.url.masked,
                    key: UserInformation.masked(in: item.options.itemKey ?? ""),
                    name: item.name,
                    sha256: item.options.expectedSHA256,
                    priority: item.priority,
                    meta: item.options.meta.map { MetaJSON(verbatim: $0.text) }
                )
            },
            bad: trial.complaints,
            notes: trial.notes,
            next: trial.next.map(UserInformation.masked(url:)),
            more: trial.more,
            total: trial.total,
            sitemaps: trial.sitemaps.map { .init(url: $0.url, changed: $0.changed) }
        )
    }
}

extension ProblemJSON {
    /// Creates it from the reason why something isn't done with a source; `storeFree` is the number of bytes that
    /// are free on the job store's disk, if it is known.
    init(_ refusal: SourceRefusal, storeFree: Int64? = nil) {
        switch refusal {
        case .noSuchSource(let name): self.init(.noSuchSource, "there is no source \(name)")
        case .unusable(let name, let words):
            self.init(
                .noSuchSource,
                "the stored recipe of the source \(name) can't be used: \(words); PUT /v1/sources/\(name) (facefetch "
                    + "source apply) replaces it, and the source goes on with what it has fetched"
            )
        case .unread(let name):
            self.init(
                .noSuchSource,
                "the recipe of the source \(name) could not be read yet, so that it doesn't run; try again in a minute"
            )
        case .nameTaken(let name):
            self.init(
                .nameTaken,
                "there is a source \(name) already; PUT /v1/sources/\(name) (facefetch source apply) changes it"
            )
        case .badRecipe(let problems):
            self.init(
                .badRecipe,
                problems.map(\.description).joined(separator: "\n"),
                errors: problems.map { ItemError(index: 0, field: $0.path, reason: $0.message) }
            )
        case .otherName(let name):
            self.init(.badRecipe, "name: the recipe is that of \(name), and the request is about another one")
        case .secretNotAllowed(let names):
            self.init(
                .secretNotAllowed,
                "only root, the daemon's user and files in sources.directory may name secrets, and this recipe "
                    + "names \(names.joined(separator: ", "))"
            )
        case .hasSecrets(let name):
            self.init(
                .secretNotAllowed,
                "the source \(name) names secrets, so only root and the daemon's user may change or remove it"
            )
        case .mayHaveSecrets(let name):
            self.init(
                .secretNotAllowed,
                "the stored recipe of the source \(name) can't be used, and it may name secrets: root and the daemon's "
                    + "user can replace it (facefetch source apply) or remove it (facefetch source remove \(name))"
            )
        case .needsReset(let name):
            self.init(
                .needsReset,
                "url or kind is another than before, so \(name) may be another list; say reset=cursor to read it "
                    + "from its beginning, or reset=keys to take all of its items for new as well"
            )
        case .page(let failure):
            let excerpt = failure.excerpt.map { "; it begins with: \($0)" } ?? ""
            self.init(
                .unreadablePage,
                "\(failure.code.rawValue): \(failure.message)\(excerpt)",
                pageError: .init(
                    code: failure.code.rawValue,
                    message: failure.message,
                    excerpt: failure.excerpt
                )
            )
        case .control(let error): self.init(error, storeFree: storeFree)
        }
    }
}
