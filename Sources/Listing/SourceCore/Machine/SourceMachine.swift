/// Decides what a source does: when it walks, which page it asks for, and what becomes of it afterwards.
///
/// No I/O and no clock: moments come in, in seconds of the steady clock.
public struct SourceMachine: Sendable {
    /// The recipe that it goes by.
    public private(set) var recipe: Recipe
    /// Its state, as stored.
    public var state: SourceState
    /// The records of its slices, by their keys.
    public internal(set) var slices: [String: SliceMemory]
    /// Slices that were read to their end since ``takeFinishedSlices()``.
    var finished: [String: SliceMemory] = [:]
    var walk: Walk?

    /// A source that begins, or takes up what an earlier run of the daemon has left.
    public init(
        _ recipe: Recipe,
        state: SourceState = SourceState(),
        slices: [String: SliceMemory] = [:],
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        self.recipe = recipe
        self.state = state.limited(every: recipe.every, now: now)
        self.slices = slices
        if case .idle(let until) = self.state.activity {
            self.state.activity = .idle(
                until: PollPlan.afterStart(planned: until, now: now, using: &generator)
            )
        }
        planLookAfterStart(now: now, using: &generator)
        if let cutOff = state.walk, state.lastStop == nil {
            walk = Walk(goingOnWith: cutOff, recipe, records: records)
            self.state.walk = walk?.state
        } else if state.activity == .walking {
            begin(now: now)
        }
    }

    var records: [String: SliceRecord] { slices.mapValues(\.record) }

    // MARK: - Requests

    /// Goes by another recipe of the same list.
    ///
    /// If it reads something else from the same pages, none of them is known to be unchanged any more.
    ///
    /// - Returns: whether what is stored of slices is to be forgotten.
    public mutating func change(_ recipe: Recipe, now: Double) -> Bool {
        endLook(hasGap: true)
        let (before, forgets) = (self.recipe, !recipe.readsTheSame(as: self.recipe))
        self.recipe = recipe
        state.lookAt = recipe.every.map { min(state.lookAt ?? .infinity, now + $0) }
        state.region = nil
        if forgets { forgetReadPages() }
        // The cause of the failure may be gone.
        if isTroubled { state.activity = .walking }
        guard let present = state.walk, state.lastStop == nil else {
            if case .idle(let until) = state.activity {
                state.activity = recipe.every.map { .idle(until: min(until, now + $0)) } ?? .ended
            } else if state.activity == .ended, let every = recipe.every {
                state.activity = .idle(until: now + every)
            }
            return forgets
        }
        let stays = (recipe.slices == nil) == (present.part != .manifest && present.slice == nil)
        let isNestedAlike = (recipe.slices?.slices == nil) == (before.slices?.slices == nil)
        guard stays || present.slice != nil, isNestedAlike, before.table == recipe.table else {
            begin(now: now)
            return forgets
        }
        walk = Walk(goingOnWith: present, recipe, records: records)
        // The slice counts as read to its end soon, so all of it has to be.
        if forgets, present.slice != nil { walk?.beginSliceAnew() }
        state.walk = walk?.state
        return forgets
    }

    private mutating func forgetReadPages() {
        (state.first, state.manifest, state.freshFirst, state.freshManifest) = (nil, nil, nil, nil)
        // Nor is there a complete walk any more whose known items end the next one.
        state.memory = WalkMemory()
        slices = [:]
        finished = [:]
    }

    /// Begins from the first page, as if nothing had been read.
    public mutating func reset(_ recipe: Recipe, now: Double) {
        let (pause, walks) = (state.pause, state.walks)
        self.recipe = recipe
        state = SourceState()
        (state.pause, state.walks) = (pause, walks)
        slices = [:]
        finished = [:]
        begin(now: now)
    }

    /// Walks at once: goes on where it waits, begins anew where it rests, joins a walk under way, and looks for
    /// new items in front of a lazy list that is held.
    ///
    /// - Parameter fetchesMissing: True to fetch items again whose documents are gone. Everything is
    ///   read then, from the beginning.
    public mutating func poll(fetchesMissing: Bool = false, now: Double) {
        if fetchesMissing { return begin(fetchesMissing: true, now: now) }
        switch state.activity {
        case .walking: if let present = walk?.state, isHeld(present) { beginLook() }
        case .waiting, .failed:
            guard walk != nil else { return begin(now: now) }
            // The slice that is waited for may no longer be listed.
            walk?.rereadList()
            state.walk = walk?.state
            state.activity = .walking
        case .idle, .ended: begin(now: now)
        }
    }

    /// Reads on, one page at least; does nothing at the end of the list.
    public mutating func more() {
        state.listedSinceMore = 0
        state.pagesSinceMore = 0
    }

    /// Requests no further pages; a page under way is still read.
    public mutating func pause(_ reason: String = "") { state.pause = reason }

    /// Goes on.
    public mutating func resume() { state.pause = nil }

    // MARK: - Steps

    /// Returns the source's next step.
    ///
    /// - Parameter unfinished: The number of its jobs that are queued or downloading.
    public mutating func next(unfinished: Int, now: Double) -> SourceStep {
        guard state.pause == nil else { return .rest(until: nil) }
        switch state.activity {
        case .ended: return .rest(until: nil)
        case .idle(let until):
            guard now >= until else { return .rest(until: until) }
            begin(now: now)
        case .waiting(let until), .failed(let until):
            guard now >= until else { return .rest(until: until) }
            state.activity = .walking
        case .walking: break
        }
        guard let present = walk?.state else {
            begin(now: now)
            return next(unfinished: unfinished, now: now)
        }
        guard mayRead(present, unfinished: unfinished) else {
            let planned = nextLook(present, now: now)
            guard let look = planned, now >= look else { return .hold(until: planned) }
            beginLook()
            return next(unfinished: unfinished, now: now)
        }
        if let pace = recipe.pace, !isReadingRows(present) {
            let earliest = state.requests.earliest(pace, now: now)
            if earliest > now { return .rest(until: earliest) }
        }
        return .read(plan(present))
    }

    /// Returns the plan of the rows that follow in a list that is read row by row, once these rows are
    /// stored.
    ///
    /// It can be read while they are, and is good only if the machine then plans the same. Returns nil where
    /// nothing may be read then, or something else than the list's next rows.
    ///
    /// - Parameters:
    ///   - report: The report on the rows.
    ///   - unfinished: Jobs that are queued or downloading, those of the rows included.
    public func rows(
        after report: PageReport,
        _ response: Response,
        at cursor: Cursor,
        unfinished: Int,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> PagePlan? {
        guard state.list != nil else { return nil }
        var machine = self
        guard machine.pageRead(report, response, at: cursor, now: now, using: &generator),
            case .read(let plan) = machine.next(unfinished: unfinished, now: now),
            case .row = plan.cursor.place
        else { return nil }
        return plan
    }

    /// A page is about to be asked for.
    public mutating func asked(now: Double) {
        if let pace = recipe.pace { state.requests.note(pace, now: now) }
    }

    func mayRead(_ present: WalkState, unfinished: Int) -> Bool {
        guard !present.part.isList, state.aside == nil else { return true }
        switch recipe.mode {
        case .lazy:
            return Ahead.mayGoOn(
                ahead: recipe.ahead,
                listed: state.listedSinceMore,
                pages: state.pagesSinceMore
            )
        case .follow:
            return Ahead.mayFollow(
                ahead: recipe.ahead,
                unfinished: unfinished,
                expected: present.lastCount ?? 0
            )
        }
    }

    /// Returns whether the page is a part of a list that is here already.
    private func isReadingRows(_ present: WalkState) -> Bool {
        if case .row = present.cursor.place { state.list != nil } else { false }
    }

    private func plan(_ present: WalkState) -> PagePlan {
        let memory = present.slice.flatMap { slices[$0.key] }
        let mayBeUnchanged = Conditions.apply(
            present,
            recipe: recipe,
            record: memory?.record,
            hasCompleted: state.hasCompleted
        )
        var validators: PageValidators?
        if mayBeUnchanged {
            validators =
                switch present.part {
                case .manifest: state.manifest
                case .list: nil
                case .pages(nil): state.first
                case .pages(.some): memory?.validators
                }
            // A server may say for ever that nothing has changed.
            if present.isFull { validators = validators?.unconditional }
        }
        return PagePlan(
            part: present.part,
            cursor: present.cursor,
            validators: validators,
            mayBeUnchanged: mayBeUnchanged && validators != nil,
            mostItems: max(1, recipe.limits.items - present.items)
        )
    }

    // MARK: - Walks

    mutating func begin(fetchesMissing: Bool = false, now: Double) {
        state.walks += 1
        let walk = Walk(
            recipe,
            number: state.walks,
            memory: state.memory,
            fetchesMissing: fetchesMissing,
            now: now
        )
        self.walk = walk
        state.walk = walk.state
        state.lastStop = nil
        state.hasGap = false
        state.activity = .walking
        state.freshFirst = nil
        state.freshManifest = nil
        state.list = nil
        state.aside = nil
        more()
    }

    /// Undoes all changes since a copy was made, because they could not be stored.
    ///
    /// Requests that were made stay made, so that its pace holds.
    public mutating func takeBack(to before: SourceMachine) {
        let requests = state.requests
        self = before
        state.requests = requests
    }

    private var isTroubled: Bool {
        switch state.activity {
        case .waiting, .failed: true
        case .walking, .idle, .ended: false
        }
    }
}
