/// Handling of the pages that were requested.
extension SourceMachine {
    /// A response's data besides its page.
    public struct Response: Hashable, Sendable {
        /// Its freshness, and the validators to request it again with.
        public var head = PageHead()
        /// The SHA-256 of its bytes.
        public var sha256: String?
        /// The URL that answered, secrets unfilled.
        public var url = ""
        /// The Content-Type of a list in rows; nil where it isn't known.
        public var contentType: String?
        /// Seconds for which the source itself asks to be left alone: a feed's ttl.
        public var unwanted = 0.0

        /// A response that says nothing.
        public init() {}
    }

    /// A page has been read.
    ///
    /// - Returns: whether it was the page that is waited for; a report that comes too late changes nothing.
    @discardableResult
    public mutating func pageRead(
        _ report: PageReport,
        _ response: Response,
        at cursor: Cursor,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Bool {
        // Only an index of sitemaps asks what is known of slices.
        let known = report.children.isEmpty ? [:] : records
        let isNew = walk?.state.slice.map { slices[$0.key] == nil } ?? false
        let read = walk?.pageRead(
            report,
            at: cursor,
            records: known,
            ofNewSlice: isNew,
            from: response.url
        )
        guard let step = read else { return false }
        state.silentOrigin = nil
        if state.aside == nil {
            state.listedSinceMore += report.listed
            state.pagesSinceMore += 1
        }
        if cursor.place == .first {
            noteFirst(response, now: now)
            planLook(now: now, using: &generator)
        }
        if step == .page { holdLook() }
        // If an index doesn't say when its sitemaps change, its being unchanged says nothing about them.
        if report.children.contains(where: { $0.changed == nil }) { state.freshFirst = nil }
        // An index isn't read to its end before its sitemaps are, so it has no record.
        succeeded(step, isIndex: !report.children.isEmpty, now: now, using: &generator)
        return true
    }

    /// A page of a list of slices has been read; a report that comes too late changes nothing.
    public mutating func manifestRead(
        _ list: SliceList,
        _ response: Response,
        at cursor: Cursor? = nil,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        guard let present = walk?.state, present.part.isList, cursor ?? present.cursor == present.cursor
        else { return }
        let known = records
        state.silentOrigin = nil
        guard let step = walk?.manifestRead(list, records: known, from: response.url) else { return }
        if present.part == .manifest, present.cursor.place == .first {
            state.freshManifest = PageValidators(response.head, sha256: response.sha256, url: response.url)
            noteFreshness(response, now: now)
        }
        succeeded(step, now: now, using: &generator)
    }

    /// The page hasn't changed, by a 304 or by its bytes.
    public mutating func pageUnchanged(
        _ response: Response,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        guard let part = walk?.state.part else { return }
        state.silentOrigin = nil
        var response = response
        /// A page that came with the same bytes has a head of its own; a 304 updates that of the page. What
        /// the page itself says stays in either case.
        func renewed(_ before: PageValidators?) -> PageValidators? {
            var after = before?.updated(by: response.head)
            if response.sha256 != nil {
                after = PageValidators(response.head, sha256: response.sha256, url: response.url)
                after?.unwanted = before?.unwanted
            } else if let before {
                response.head = before.head(updatedBy: response.head)
            }
            response.unwanted = before?.unwanted ?? 0
            return after
        }
        let step: WalkStep?
        switch part {
        case .manifest, .list:
            state.freshManifest = renewed(state.manifest)
            step = walk?.manifestUnchanged()
        case .pages(let slice):
            state.freshFirst = renewed(slice.map { slices[$0.key]?.validators } ?? state.first)
            step = walk?.pageUnchanged()
        }
        noteFreshness(response, now: now)
        planLook(now: now, using: &generator)
        if let step { succeeded(step, now: now, using: &generator) }
    }

    /// The daemon has ended so many times in a row while it read the page at the cursor: the page is read
    /// again after a wait that grows.
    public mutating func hasEndedDaemon(
        times: Int,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        state.failure = SourceFailure(
            .readerCrashed,
            "the daemon ended \(times) times in a row while it read this page; facefetch source poll reads it at "
                + "once, and if nobody ended the daemon, please report it"
        )
        state.activity = .waiting(until: now + FailurePlan.backoff(times, using: &generator))
    }

    /// The bucket is in another region than was asked: it is asked there, once.
    public mutating func correct(region: String) { state.region = region }

    /// The list that is read row by row is here, under this hash of its bytes; where it is another than
    /// before, its rows are read from the first.
    ///
    /// Equal keys drop what was read of the one before.
    public mutating func listArrived(_ sha256: String, contentType: String? = nil, now: Double) {
        if state.list != sha256, let present = walk?.state, case .row = present.cursor.place {
            if present.slice == nil {
                begin(fetchesMissing: present.fetchesMissing, now: now)
            } else {
                // The list is of this slice, and of no other.
                walk?.beginSliceAnew()
                state.walk = walk?.state
                state.freshFirst = nil
            }
        }
        state.list = sha256
        state.listType = contentType
    }

    // MARK: - Steps

    mutating func succeeded(
        _ first: WalkStep,
        isIndex: Bool = false,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        state.failures = 0
        state.unheard = 0
        state.failingSince = nil
        state.failure = nil
        state.activity = .walking
        var step = first
        while let walk {
            if case .listDone(let slice, let isWhole, let stop) = step {
                // What was read last is of another slice.
                state.freshFirst = nil
                if isWhole { finish(slice, in: walk.state.number) } else { forgetChange(of: slice) }
                step = self.walk?.nextSlice(after: stop) ?? .done(stop)
                continue
            }
            guard case .sliceDone(let slice, let stop) = step else { break }
            if stop.isComplete, let slice, !isIndex {
                finish(slice, in: walk.state.number)
                self.walk?.sliceSucceeded()
            }
            // What a walk has of bad slices, it keeps itself.
            if !stop.isComplete, stop != .badSlice { state.hasGap = true }
            if slice != nil { state.freshFirst = nil }
            // The next part has a list of its own.
            state.list = nil
            step = self.walk?.nextSlice(after: stop) ?? .done(stop)
        }
        state.walk = walk?.state
        if case .done(let stop) = step { done(stop, now: now, using: &generator) }
    }

    mutating func done(
        _ stop: WalkStop,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        guard let ended = walk?.state else { return }
        if state.aside != nil { return endLook(hasGap: !stop.isComplete) }
        let stop = reason(stop, ended)
        state.memory = state.memory.after(ended, stop, now: now)
        if ended.items > 0 { state.lastListed = ended.items }
        end(stop)
        switch stop {
        case .noProgress:
            state.failure = SourceFailure(
                .noProgress,
                "\(Walk.mostStalePages) pages in a row had nothing that wasn't listed before; check the recipe's next"
            )
        case .slicesFailed:
            state.failure = SourceFailure(
                .unexpectedShape,
                "none of its slices could be read; \(ended.badSlices?.words ?? "check slices")"
            )
        case .unreadable:
            state.failure = SourceFailure(
                .unexpectedShape,
                ended.complaint.map { "no row of the list can be read; the first: \($0)" }
                    ?? "no row of the list can be read; check job.url, delimiter and header against the list"
            )
        default: break
        }
        if WalkMemory.needsAnother(after: ended, stop, recipe: recipe) { return begin(now: now) }
        let next = PollPlan.next(
            every: recipe.every,
            fresh: state.freshUntil - now,
            wanted: state.unwantedUntil - now,
            now: now,
            using: &generator
        )
        state.activity = next.map { .idle(until: $0) } ?? .ended
    }

    /// Returns why a walk has ended, once all of it is known.
    private func reason(_ stop: WalkStop, _ ended: WalkState) -> WalkStop {
        guard stop.isComplete || stop == .badSlice else { return stop }
        if state.hasGap { return .noProgress }
        if ended.badSlices != nil {
            if ended.goodSlices == 0 { return .slicesFailed }
            if stop == .badSlice { return .lastPage }
        }
        // A piece of a list in rows may happen to have only bad items although the whole list doesn't.
        let readsNothing = recipe.kind.isStreamed && ended.bad > 0 && ended.bad >= ended.items
        return readsNothing ? .unreadable : stop
    }

    mutating func end(_ stop: WalkStop) {
        state.activity = .ended
        state.lastStop = stop
        state.list = nil
        state.aside = nil
        walk = nil
        guard stop.isComplete else { return }
        state.hasCompleted = true
        state.first = state.freshFirst ?? state.first
        state.manifest = state.freshManifest ?? state.manifest
        // An unchanged list would say that there is nothing to read, and these are to be tried again.
        if state.walk?.badSlices != nil { (state.first, state.manifest) = (nil, nil) }
    }

    private mutating func noteFirst(_ response: Response, now: Double) {
        state.freshFirst = PageValidators(response.head, sha256: response.sha256, url: response.url)
        state.freshFirst?.unwanted = response.unwanted > 0 ? response.unwanted : nil
        noteFreshness(response, now: now)
    }

    private mutating func noteFreshness(_ response: Response, now: Double) {
        // Where there is a list of slices, that says when to look again.
        if recipe.slices != nil, state.walk?.part != .manifest { return }
        state.freshUntil = now + Freshness.seconds(response.head)
        state.unwantedUntil = now + response.unwanted
    }
}
