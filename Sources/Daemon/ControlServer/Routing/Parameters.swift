import ControlAPI
import JobModel
import SourceEngine
import Vocabulary

/// The parameters of the endpoints.
enum Parameters {
    /// The allowed page sizes; below them is the default.
    static let pageSizes: ClosedRange<Int64> = 1...1000
    static let defaultPageSize = 100
    /// The allowed lengths of a search text in characters.
    static let searchLengths = 1...256

    /// The page size.
    static let limit = Parameter<Int64>.integer(
        "limit",
        from: pageSizes.lowerBound,
        to: pageSizes.upperBound,
        "Items on a page.",
        unless: .integer(from: pageSizes.lowerBound, to: pageSizes.upperBound)
            .defaulting(to: defaultPageSize.description)
    )

    /// The beginning of the page.
    static let after = Parameter<Int64>.integer("after", from: 0, "The value of next on the previous page.")

    /// The beginning of a page of hosts.
    static let afterHost = Parameter<String>(
        "after",
        .string(from: 1, to: hostLength),
        "The value of next on the previous page."
    ) { (text) throws(ProblemJSON) in
        guard (1...hostLength).contains(text.unicodeScalars.count) else {
            throw ProblemJSON(.invalidParameter, "after must have 1 to \(hostLength) characters")
        }
        return text
    }

    /// The host whose hold ends.
    static let heldHost = Parameter<String>(
        "host",
        .string(from: 1, to: hostLength),
        "The host with its port, as GET /v1/hosts names it."
    ) { (text) throws(ProblemJSON) in
        guard (1...hostLength).contains(text.unicodeScalars.count) else {
            throw ProblemJSON(.invalidParameter, "host must have 1 to \(hostLength) characters")
        }
        return text
    }

    /// The longest host with its port, in characters, and some more.
    private static let hostLength = 300

    /// The batch that items must belong to.
    static let batch = Parameter<Int64>.integer("batch", from: 1, "Only of this batch.")

    /// The state that jobs must be in.
    static let state = Parameter<JobState>.word("state", "Only in this state.")

    /// The number of an ending: later ones are wanted.
    static let endedAfter = Parameter<Int64>.integer(
        "ended_after",
        from: 0,
        "Lists what jobs have come to since this number, in the order of the numbers: for whoever reads on from "
            + "the last ended. A job comes once for each ending asked for, with that ending's latest number."
    )

    /// The endings that are wanted.
    static let ending = Parameter<Set<JobEnding>>(
        "ending",
        .string(pattern: "^(\(endings))(,(\(endings)))*$"),
        "Which endings ended_after lists, joined by commas: done,failed,cancelled by default. Without ended_after, from the first on."
    ) { (text) throws(ProblemJSON) in
        var chosen: Set<JobEnding> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let ending = JobEnding(rawValue: String(word)) else {
                throw ProblemJSON(
                    .invalidParameter,
                    "there is no ending \(String(word).quoted); there are "
                        + JobEnding.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            chosen.insert(ending)
        }
        return chosen
    }

    private static let endings = JobEnding.allCases.map(\.rawValue).joined(separator: "|")

    /// The text to search for.
    static let text = Parameter<String>(
        "q",
        .string(from: searchLengths.lowerBound, to: searchLengths.upperBound),
        "Only with this text in the name, or in the URL as shown. The case of ASCII letters is ignored."
    ) { (text) throws(ProblemJSON) in
        guard searchLengths.contains(text.unicodeScalars.count) else {
            throw ProblemJSON(
                .invalidParameter,
                "q must have \(searchLengths.lowerBound) to \(searchLengths.upperBound) characters"
            )
        }
        return text
    }

    /// One source only.
    static let source = Parameter<String>(
        "source",
        .string(from: 1, to: nameLength),
        "Only of the source with this name."
    ) { (text) throws(ProblemJSON) in
        guard (1...nameLength).contains(text.unicodeScalars.count) else {
            throw ProblemJSON(.invalidParameter, "source must have 1 to \(nameLength) characters")
        }
        return text
    }

    private static let nameLength = 256

    /// The least number of faces.
    static let minFaces = Parameter<Int64>.integer(
        "faces_min",
        from: 0,
        to: 1_000_000,
        "Only with at least so many faces counted in the document."
    )

    /// The outcome of looking for faces.
    static let outcome = Parameter<DetectionOutcome>.word(
        "outcome",
        "Only with this outcome of looking for faces."
    )

    /// The parameters that select jobs, in lists and for actions on many of them.
    static let filter: [any ReadParameter] = [
        state, batch, source, meta, minFaces, outcome, text, ids,
    ]

    /// These jobs only.
    static let ids = Parameter<Set<JobID>>(
        "ids",
        .string(pattern: "^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,\(idCount - 1)}$"),
        "Only these jobs: ids joined by commas, at most \(idCount). All of them are on one page, unless limit is given."
    ) { (text) throws(ProblemJSON) in
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let ids = words.compactMap { Int64(decimal: $0) }.filter { $0 > 0 }
        guard ids.count == words.count, ids.count <= idCount else {
            throw ProblemJSON(.invalidParameter, "ids are up to \(idCount) integers from 1, joined by commas")
        }
        return Set(ids.map(JobID.init(rawValue:)))
    }

    /// The most jobs that can be named.
    static let idCount = 500

    /// The order of a list.
    static let order = Parameter<JobOrder>(
        "order",
        .words(JobOrder.allCases.map(\.rawValue)).defaulting(to: "\"oldest\""),
        "Which come first: the oldest or the newest, by their ids, or with ended_after by the numbers of the endings."
    ) { (text) throws(ProblemJSON) in
        guard let order = JobOrder(rawValue: text) else {
            throw ProblemJSON(
                .invalidParameter,
                "there is no order \(text.quoted); there are "
                    + JobOrder.allCases.map(\.rawValue).joined(separator: " and ")
            )
        }
        return order
    }

    /// The order of a list of batches.
    static let batchOrder = Parameter<JobOrder>.word(
        "order",
        "Which come first: the oldest, unless said, or the newest."
    )

    /// True if only batches are listed of which something is left to do.
    static let unfinished = flag(
        "unfinished",
        "Whether only batches with jobs that haven't ended are listed."
    )

    /// A member that the jobs' `meta` has to contain.
    static let meta = Parameter<String>(
        "meta",
        in: .members,
        .members(nil, .string(to: JobMeta.maximumLength))
            .rule("maxProperties", metaCount.description)
            .rule("propertyNames", #"{"pattern":"^meta\\..","maxLength":261}"#),
        "Only jobs with these members in their meta, each as meta.KEY=VALUE: VALUE is the text of a string, or any "
            + "other value as JSON. All must hold."
    ) { (text) throws(ProblemJSON) in text }

    /// The most members that can be asked for.
    static let metaCount = 16

    /// The members that are asked for.
    static func metaMembers(
        _ members: [(key: String, value: String)]
    ) throws(ProblemJSON) -> [JobFilter.MetaMember] {
        guard members.count <= metaCount else {
            throw ProblemJSON(.invalidParameter, "there may be at most \(metaCount) parameters meta.KEY")
        }
        for (key, value) in members {
            guard (1...256).contains(key.unicodeScalars.count), value.utf8.count <= JobMeta.maximumLength
            else {
                throw ProblemJSON(
                    .invalidParameter,
                    "meta.KEY=VALUE has a key of 1 to 256 characters, and a value of at most "
                        + "\(JobMeta.maximumLength) bytes"
                )
            }
        }
        return members.map { JobFilter.MetaMember(key: $0.key, value: $0.value) }
    }

    /// Returns a parameter that is true or false.
    static func flag(_ name: String, _ meaning: String) -> Parameter<Bool> {
        Parameter<Bool>(name, .words(["true", "false"]), meaning) { (text) throws(ProblemJSON) in
            guard ["true", "false"].contains(text) else {
                throw ProblemJSON(.invalidParameter, "\(name) is true or false, not \(text.quoted)")
            }
            return text == "true"
        }
    }

    /// The key that makes repeating a request harmless.
    static let idempotencyKey = Parameter<String>(
        "Idempotency-Key",
        in: .header,
        .string(pattern: "^[!-~]{1,255}$"),
        "Makes a repeated request return the answer of the first. Keys belong to a user: the same key from another user is a different key.",
        idempotencyKeyText
    )

    /// The batch that was posted under a key.
    static let key = Parameter<String>(
        "key",
        .string(pattern: "^[!-~]{1,255}$"),
        "Only the batch that the client's user has posted under this Idempotency-Key.",
        idempotencyKeyText
    )

    @Sendable private static func idempotencyKeyText(_ key: String) throws(ProblemJSON) -> String? {
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ProblemJSON(
                .invalidParameter,
                "an Idempotency-Key has 1 to 255 visible ASCII characters, without spaces"
            )
        }
        return key
    }
}
