/// The schedule of asking about a source's pictures again: with each walk all of them once (`refresh`).
extension SourceMachine {
    /// The next step with pictures that may have changed.
    public enum RefreshStep: Hashable, Sendable {
        /// Ask about the pictures that come after a place, and were neither fetched nor asked about since a
        /// moment.
        case ask(after: RefreshRound.Place?, since: Double)
        /// Nothing, until a moment; nil until the source itself goes on.
        case rest(until: Double?)
    }

    /// Returns the next step with pictures that may have changed.
    ///
    /// A source whose pages are in trouble is left alone altogether.
    public mutating func nextRefresh(now: Double) -> RefreshStep {
        guard recipe.refresh == .ifChanged, state.pause == nil else { return .rest(until: nil) }
        switch state.activity {
        case .waiting, .failed: return .rest(until: nil)
        case .walking, .idle, .ended: break
        }
        var round = state.refresh ?? RefreshRound(walk: state.walks, now: now)
        let step = round.step(walk: state.walks, now: now)
        state.refresh = round
        switch step {
        case nil: return .rest(until: nil)
        case .rest(let until): return .rest(until: until)
        case .ask: return .ask(after: round.place, since: round.began)
        }
    }

    /// Records the result of asking.
    public mutating func refreshed(_ report: RefreshReport, now: Double) {
        state.refresh?.passed(report, now: now)
    }
}
