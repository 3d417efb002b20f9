import Vocabulary

/// Handling of pages that could not be read.
extension SourceMachine {
    /// The number of times in a row that a page of a slice is asked for in vain before the slice is left out.
    ///
    /// That takes a quarter of an hour.
    public static let mostSliceFailures = 5
    /// The number of slices to which access is refused before the source counts as unauthorized, if no other could
    /// be read.
    public static let mostRefusedSlices = 3

    /// Handles a page that couldn't be read: the cursor stays, unless that is the end of the list or of a slice.
    ///
    /// A slice whose server can't be reached is left out after some tries. It isn't while the machine reaches nothing:
    /// an evening without a line would cost many. Where the slice before was left out for the same server, and nobody
    /// has answered since, nothing new is known of this one either, and it waits, too, for a day at
    /// most, so that slices of other servers have their turn.
    ///
    /// - Parameters:
    ///   - url: the page's URL without secrets.
    ///   - isOffline: Whether the machine reaches no server, as far as is known.
    public mutating func failed(
        _ given: SourceFailure,
        retryAfter: Double? = nil,
        at url: String = "",
        isOffline: Bool = false,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        if let status = given.status, let step = walk?.pageMissing(status: status) {
            return succeeded(step, now: now, using: &generator)
        }
        var failure = given
        if walk?.state.slice != nil, !url.isEmpty { failure.message = "\(url): \(given.message)" }
        let origin = URLOrigin(URLReference(url))?.text
        let isUnheard =
            given.code == .connection && given.status ?? 0 == 0 && walk?.state.slice != nil
            && (isOffline
                || origin != nil && origin == state.silentOrigin
                    && now - (state.failingSince ?? now) < FailurePlan.rest)
        if given.status ?? 0 > 0 { state.silentOrigin = nil }
        if isUnheard { state.unheard += 1 } else { state.failures += 1 }
        let since = state.failingSince ?? now
        state.failingSince = since
        state.failure = failure
        let outcome = FailurePlan.outcome(
            failure,
            // Not much longer than the line may be away, once it is back.
            failures: state.failures + min(state.unheard, Self.mostSliceFailures),
            since: since,
            retryAfter: retryAfter,
            now: now,
            using: &generator
        )
        if !isUnheard, failSlice(failure, outcome, at: url, now: now, using: &generator) { return }
        switch outcome {
        case .wait(let until): state.activity = .waiting(until: until)
        case .failed(let until): state.activity = .failed(until: until)
        case .ended where isAtFirstPage: end(.gone)
        case .ended: losePlace(failure, now: now, using: &generator)
        }
    }

    /// True if the source's own first page is asked for, or its list of slices.
    private var isAtFirstPage: Bool {
        guard let present = walk?.state else { return true }
        return present.slice == nil && present.cursor.place == .first
    }

    /// Ends a walk whose place isn't there any more, as when a cursor has run out; the next one begins anew.
    private mutating func losePlace(
        _ failure: SourceFailure,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        done(.placeGone, now: now, using: &generator)
        state.failure = failure
    }

    /// Leaves out a slice that can't be read, and goes on with the next one.
    ///
    /// - Returns: whether it did; otherwise the page is a matter of the source.
    private mutating func failSlice(
        _ failure: SourceFailure,
        _ outcome: FailurePlan.Outcome,
        at url: String,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Bool {
        guard let slice = walk?.state.slice, isSliceLost(failure, outcome) else { return false }
        let step = walk?.sliceFailed(.init(key: slice.key, url: url, failure: failure))
        guard let step, let present = walk?.state else { return false }
        if isUnauthorized(present) {
            // With another key, all of them may be read.
            walk?.rereadSlices()
            state.walk = walk?.state
            return false
        }
        forgetChange(of: slice)
        state.freshFirst = nil
        succeeded(step, now: now, using: &generator)
        if failure.code == .connection, failure.status ?? 0 == 0 {
            state.silentOrigin = URLOrigin(URLReference(url))?.text
        }
        return true
    }

    private func isSliceLost(_ failure: SourceFailure, _ outcome: FailurePlan.Outcome) -> Bool {
        switch (failure.code, failure.status ?? 0) {
        case (.noSecret, _), (.rateLimited, _), (_, 429): return false
        case (_, 404), (_, 410): return true
        case (.connection, _), (_, 408), (_, 425), (_, 500...599):
            return state.failures >= Self.mostSliceFailures
        default:
            if case .failed = outcome { return true }
            return false
        }
    }

    /// Returns whether access to all slices so far was refused, and those were several or all.
    private func isUnauthorized(_ present: WalkState) -> Bool {
        guard let bad = present.badSlices, bad.areAllRefused, present.goodSlices == 0 else {
            return false
        }
        return bad.count >= Self.mostRefusedSlices || walk?.pending?.isEmpty ?? false
    }
}
