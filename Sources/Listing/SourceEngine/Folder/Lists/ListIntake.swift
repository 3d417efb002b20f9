import JobEngine
import JobModel
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
    /// The number of its first files that were added before.
    var known = 0

    /// Checks all of the list, and then adds it.
    ///
    /// A list that is one batch is read once; a longer one is read again, since it is too long to keep.
    ///
    /// - Returns: What came of it, and the number of files in the list.
    func add() async throws -> (outcome: Outcome, count: Int) {
        var (first, all) = ([NewJob](), 0)
        try await forEachNew(counting: &all) { jobs in
            if first.count + jobs.count <= most { first += jobs } else { first = [] }
        }
        if all == 0 { return (.refused("the list has no URLs"), 0) }
        let count = max(0, all - known)
        return (try await add(count, first), all)
    }

    /// Reads the list, and lets `body` have what wasn't added before.
    private func forEachNew(counting all: inout Int, _ body: ([NewJob]) async throws -> Void) async throws {
        var read = 0
        try await list.forEach { jobs in
            let new = jobs.dropFirst(max(0, known - read))
            read += jobs.count
            if !new.isEmpty { try await body(Array(new)) }
        }
        all = read
    }

    private func add(_ count: Int, _ first: [NewJob]) async throws -> Outcome {
        if count == 0 { return .added("nothing more") }
        if count <= most {
            let batch = try await submit(first, part: 0)
            return .added("\(Self.files(count)) as batch \(batch)")
        }
        var batches: [BatchID] = []
        var pending: [NewJob] = []
        var all = 0
        try await forEachNew(counting: &all) { jobs in
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
