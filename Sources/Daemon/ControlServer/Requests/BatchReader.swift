import ControlAPI
import JobModel

/// Parses a submitted batch into validated items, or reports everything that is wrong.
enum BatchReader {
    private static let itemCount = BatchRequest.itemCount

    /// A batch that can be accepted.
    struct Batch: Sendable {
        /// The items in order.
        var items: [NewJob]
        /// The time for which each renewal of its lease is good, in seconds; nil if it needs none.
        var lease: Int?
        /// True if items are left out whose URLs are known.
        var skipsKnown = false
    }

    /// The keys of a body besides items.
    private static let others = ["lease", "weight", "skip_known"]

    /// Parses a batch.
    ///
    /// - Throws: ``ProblemJSON``: `invalid_request` for a wrong shape,
    ///   `invalid_items` with the index and reason of every bad item.
    static func read(_ body: [UInt8]) throws(ProblemJSON) -> Batch {
        guard !body.isEmpty else {
            throw ProblemJSON(.malformedJSON, "the body is empty; it must be an object with the key items")
        }
        var draft = Draft()
        let kind = try JSONReader.body(body) { (reader, key) throws(JSONReader.Malformed) in
            try draft.read(key, &reader)
        }
        guard case .object = kind else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key items, not \(kind.kindName)"
            )
        }
        return try draft.checked()
    }

    /// The part of a batch that has been parsed.
    private struct Draft {
        private var stranger: String?
        private var items: JSONValue?
        private var others: [String: JSONValue] = [:]
        private var count = 0
        private var jobs: [NewJob] = []
        private var errors = ItemErrors()

        mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONReader.Malformed) {
            if BatchReader.others.contains(key) {
                others[key] = try reader.value()
                return
            }
            guard key == "items" else {
                stranger = stranger ?? key
                try reader.skip()
                return
            }
            items = try reader.elements { (reader) throws(JSONReader.Malformed) in
                count += 1
                errors.beginItem()
                guard count <= itemCount.upperBound else {
                    // There are too many, so from here on they are only counted.
                    (jobs, errors) = ([], ItemErrors())
                    try reader.skip()
                    return
                }
                let job = try ItemReader.read(&reader, errors: &errors)
                // No items are needed once the batch will be refused.
                if errors.badItems > 0 { jobs = [] } else if let job { jobs.append(job) }
            }
        }

        func checked() throws(ProblemJSON) -> Batch {
            if let stranger {
                throw ProblemJSON(
                    .invalidRequest,
                    "the body has an unknown key, \(stranger.quoted); it takes only items, lease, weight and skip_known"
                )
            }
            guard case .array? = items else {
                throw ProblemJSON(.invalidRequest, "the body needs the key items with an array of items")
            }
            guard itemCount.contains(count) else {
                throw ProblemJSON(
                    .invalidRequest,
                    "a batch has \(itemCount.lowerBound) to 100,000 items, not \(count)"
                        + (count == 0 ? "" : "; post them in several batches")
                )
            }
            let lease = try number("lease", in: BatchRequest.leases, ", in seconds")
            let weight = try number("weight", in: BatchRequest.weights) ?? 1
            let skipsKnown = try flag("skip_known")
            guard let first = errors.list.first else {
                let items = weight == 1 ? jobs : jobs.map { $0.weighing(weight) }
                return Batch(items: items, lease: lease, skipsKnown: skipsKnown)
            }
            let bad = errors.badItems
            throw ProblemJSON(
                .invalidItems,
                "\(bad) of \(count) items \(bad == 1 ? "is" : "are") wrong, so none was accepted; first: item "
                    + "\(first.index), \(first.field): \(first.reason)",
                errors: errors.list
            )
        }

        private func flag(_ key: String) throws(ProblemJSON) -> Bool {
            switch others[key] {
            case nil, .null?: return false
            case .bool(let value)?: return value
            case _?: throw ProblemJSON(.invalidRequest, "\(key) must be true or false")
            }
        }

        private func number(
            _ key: String,
            in range: ClosedRange<Int64>,
            _ unit: String = ""
        ) throws(ProblemJSON) -> Int? {
            switch others[key] {
            case nil, .null?: return nil
            case .integer(let number)? where range.contains(number): return Int(number)
            case _?:
                throw ProblemJSON(
                    .invalidRequest,
                    "the \(key) must be an integer from \(range.lowerBound) to \(range.upperBound)\(unit)"
                )
            }
        }
    }
}

extension NewJob {
    /// The same item of a batch of a weight.
    fileprivate func weighing(_ weight: Int) -> NewJob {
        var job = self
        job.options.weight = weight
        return job
    }
}

extension ProblemJSON {
    /// Creates the problem for a body that isn't JSON.
    init(_ malformed: JSONReader.Malformed) {
        self.init(
            .malformedJSON,
            "the body is not JSON: \(malformed.reason), at line \(malformed.line), column \(malformed.column)"
        )
    }
}
