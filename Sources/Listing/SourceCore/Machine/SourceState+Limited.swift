/// Limiting a stored state's numbers to those that counting and clocks can bring.
///
/// A damaged one would otherwise end the daemon where something is added to it.
extension SourceState {
    /// The state without impossible numbers.
    public var limited: SourceState {
        var state = self
        state.activity = activity.limited
        state.walk = walk?.limited
        state.aside = aside?.limited
        state.lookAt = lookAt?.asMoment
        state.walks = walks.asCount
        state.lastListed = lastListed?.asCount
        state.memory.lastFull = memory.lastFull?.asMoment
        state.memory.fullSince = memory.fullSince?.asCount
        state.failures = failures.asCount
        state.unheard = unheard.asCount
        state.failingSince = failingSince?.asMoment
        state.listedSinceMore = listedSinceMore.asCount
        state.pagesSinceMore = pagesSinceMore.asCount
        state.freshUntil = freshUntil.asMoment
        state.unwantedUntil = unwantedUntil.asMoment
        state.requests = requests.limited
        return state
    }

    /// The state at the start of a run, before which everything in it has happened.
    ///
    /// What is waited for since a moment that is still to come would be waited for until then.
    func limited(every: Double?, now: Double) -> SourceState {
        var state = self
        state.activity = activity.limited(every: every, now: now)
        state.memory.lastFull = memory.lastFull.map { min($0, now) }
        state.failingSince = failingSince.map { min($0, now) }
        state.requests = requests.limited(now: now)
        state.refresh = refresh?.limited(walks: walks, now: now)
        return state
    }
}

extension SourceState.Activity {
    fileprivate var limited: SourceState.Activity {
        switch self {
        case .walking, .ended: self
        case .idle(let until): .idle(until: until.asMoment)
        case .waiting(let until): .waiting(until: until.asMoment)
        case .failed(let until): .failed(until: until.asMoment)
        }
    }

    /// The same at the start of a run, where no wait is longer than one ever is.
    func limited(every: Double?, now: Double) -> SourceState.Activity {
        let varied = 1 + PollPlan.jitter
        switch self {
        case .walking, .ended: return self
        case .idle(let until):
            let longest = max(every ?? 0, PollPlan.floor, Freshness.longest) * varied
            return .idle(until: min(until, now + longest))
        case .waiting(let until):
            let longest = max(FailurePlan.waits.upperBound * varied, FailurePlan.longestRetryAfter)
            return .waiting(until: min(until, now + longest))
        case .failed(let until): return .failed(until: min(until, now + FailurePlan.rest))
        }
    }
}

extension WalkState {
    fileprivate var limited: WalkState {
        var state = self
        state.number = number.asCount
        state.cursor.page = cursor.page.asCount
        state.cursor.offset = cursor.offset.asCount
        if case .row(var position) = cursor.place {
            position.bytes = position.bytes.asCount
            position.line = position.line.asCount
            state.cursor.place = .row(position)
        }
        state.pages = pages.asCount
        state.items = items.asCount
        state.known = known.asCount
        state.new = new.asCount
        state.bad = bad.asCount
        state.total = total?.asCount
        state.rereadsBefore = rereadsBefore?.asCount
        state.lastCount = lastCount?.asCount
        state.stalePages = stalePages.asCount
        state.knownPages = knownPages.asCount
        state.goodSlices = goodSlices.asCount
        for path in [\WalkState.list, \.parents] {
            state[keyPath: path]?.page = self[keyPath: path]?.page.asCount ?? 1
            state[keyPath: path]?.offset = self[keyPath: path]?.offset.asCount ?? 0
        }
        state.badSlices?.count = badSlices?.count.asCount ?? 0
        state.end?.page = end?.page.asCount ?? 0
        state.end?.missing = end?.missing?.asCount
        return state
    }
}

extension Int {
    /// A count of anything: not below 0, and small enough to be read in JSON (RFC 8259 §6) and added to.
    var asCount: Int { Swift.min(Swift.max(0, self), 1 << 52) }
}

extension Double {
    /// A moment in seconds, small enough to be given in microseconds: some thousand years.
    var asMoment: Double { Swift.min(Swift.max(-1e11, self), 1e11) }
}
