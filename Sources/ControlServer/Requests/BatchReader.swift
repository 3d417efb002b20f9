import ControlAPI
import JobCore

/// Turns the body of a post into checked items, or says all that is wrong with them.
enum BatchReader {
    /// How many items a batch may have.
    static let itemCount = 1...100_000
    /// Items checked between two offers to let other work go first.
    private static let stride = 500

    /// Reads the items.
    ///
    /// - Throws: ``ProblemJSON``: `invalid_request` for a wrong shape,
    ///   `invalid_items` with the index and reason of every bad item.
    static func read(_ body: JSONValue) async throws(ProblemJSON) -> [NewJob] {
        guard case .object(let members) = body else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key items, not \(body.kindName)"
            )
        }
        if let stranger = members.first(where: { $0.key != "items" }) {
            throw ProblemJSON(
                .invalidRequest,
                "the body has an unknown key, \(stranger.key.quoted); it takes only items"
            )
        }
        guard case .array(let items)? = members.first?.value else {
            throw ProblemJSON(.invalidRequest, "the body needs the key items with an array of items")
        }
        guard itemCount.contains(items.count) else {
            throw ProblemJSON(
                .invalidRequest,
                "a batch has \(itemCount.lowerBound) to 100,000 items, not \(items.count)"
                    + (items.isEmpty ? "" : "; post them in several batches")
            )
        }
        var jobs: [NewJob] = []
        jobs.reserveCapacity(items.count)
        var errors: [ProblemJSON.ItemError] = []
        for (index, item) in items.enumerated() {
            // 100,000 URLs take a while; a status must not wait for them.
            if index % stride == stride - 1 { await Task.yield() }
            if let job = ItemReader.read(item, index: index, errors: &errors) { jobs.append(job) }
        }
        guard errors.isEmpty else {
            let bad = Set(errors.map(\.index)).count
            throw ProblemJSON(
                .invalidItems,
                "\(bad) of \(items.count) items \(bad == 1 ? "is" : "are") wrong, so none was taken; first: item "
                    + "\(errors[0].index), \(errors[0].field): \(errors[0].reason)",
                errors: errors
            )
        }
        return jobs
    }
}
