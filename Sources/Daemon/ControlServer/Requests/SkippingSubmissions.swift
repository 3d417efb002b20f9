import JobEngine
import JobModel

/// Submissions that leave out what is known, one after another: what one of them adds is known to the next.
actor SkippingSubmissions {
    /// The outcome of a submission.
    enum Outcome: Sendable {
        /// The items that were new are a batch.
        case accepted(AcceptedBatch)
        /// All items, so many of them, were known.
        case nothingNew(known: Int)
    }

    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Submits the items whose URLs no job has that has neither failed nor been cancelled, and that no item before
    /// them has.
    ///
    /// Under a key that was used before, the answer is the first one, whatever has become known since.
    ///
    /// - Throws: ``ControlError``, and what the queries throw.
    func leaveOutKnown(
        _ submission: Submission,
        _ control: any JobControl,
        _ queries: any JobQueries
    ) async throws -> Outcome {
        await enter()
        defer { leave() }
        if let key = submission.idempotency {
            let user = submission.submittedBy
            if let first = try await queries.emptyAnswer(idempotencyKey: key.key, of: user) {
                guard first.bodyDigest == key.bodyDigest else { throw ControlError.idempotencyKeyReused }
                return .nothingNew(known: first.known)
            }
            if try await queries.batch(idempotencyKey: key.key, of: user) != nil {
                return .accepted(try await control.submit(submission))
            }
        }
        let new = try await Self.new(of: submission.items, queries)
        let known = submission.items.count - new.count
        guard new.isEmpty else {
            var rest = submission
            (rest.items, rest.known) = (new, known)
            return .accepted(try await control.submit(rest))
        }
        if let key = submission.idempotency {
            try await control.keep(
                StoreChanges.EmptyAnswer(
                    idempotencyKey: key.key,
                    submittedBy: submission.submittedBy,
                    bodyDigest: key.bodyDigest,
                    known: known
                )
            )
        }
        return .nothingNew(known: known)
    }

    private static func new(of items: [NewJob], _ queries: any JobQueries) async throws -> [NewJob] {
        var seen: Set<String> = []
        let different = items.filter { seen.insert($0.url.text).inserted }
        let known = try await queries.known(different.map(\.url))
        return different.enumerated().filter { !known.contains($0.offset) }.map(\.element)
    }

    private func enter() async {
        guard isBusy else { return isBusy = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next one in, who has waited for longest.
    private func leave() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}
