import JobEngine
import JobModel
import SourceEngine
import Vocabulary

/// Adds a list as batches, each under a key that makes it harmless to add it again.
struct ListIntake: Sendable {
    let control: any FeedControl
    let list: ListedJobs
    let claim: Claim
    /// The user whose list it is.
    let owner: UInt32
    /// The most jobs of a batch.
    let most: Int

    /// Checks all of the list, and then adds it.
    ///
    /// A list that is one batch is read once; a longer one is read again, since it is too long to keep.
    func add() async throws -> Outcome {
        var (first, count) = ([NewJob](), 0)
        try await list.forEach { jobs in
            count += jobs.count
            if count <= most { first += jobs } else { first = [] }
        }
        if count == 0 { return .refused("the list has no URLs") }
        if count <= most {
            let batch = try await submit(first, part: 0)
            return .added("\(Self.files(count)) as batch \(batch)")
        }
        var batches: [BatchID] = []
        var pending: [NewJob] = []
        try await list.forEach { jobs in
            pending += jobs
            while pending.count >= most {
                batches.append(try await submit(Array(pending.prefix(most)), part: batches.count))
                pending.removeFirst(most)
            }
        }
        if !pending.isEmpty { batches.append(try await submit(pending, part: batches.count)) }
        let ends = [batches.first, batches.last].compactMap { $0?.description }
        return .added("\(Self.files(count)) as batches \(ends.joined(separator: " to "))")
    }

    private func submit(_ jobs: [NewJob], part: Int) async throws(ControlError) -> BatchID {
        // The list of a claim is always the same, and so are its batches.
        let key = Submission.Idempotency(key: claim.key(part: part), bodyDigest: "watch")
        let submission = Submission(items: jobs, submittedBy: owner, idempotency: key)
        return try await control.submit(submission).batch.id
    }

    private static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }
}
