import ControlAPI
import Hummingbird
import JobCore
import JobEngine

/// The query parameters of a request: each at most once, and none that the route doesn't know.
struct Query {
    /// How many items a page may have, and has where nobody says.
    static let pageSizes: ClosedRange<Int64> = 1...1000
    static let defaultPageSize = 100

    /// How many characters a text to look for may have.
    static let searchLengths = 1...256

    private let values: [String: String]

    /// Reads the parameters of a request.
    init(_ request: Request, known: Set<String>) throws(ProblemJSON) {
        var values: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard known.contains(name) else {
                throw ProblemJSON(
                    .invalidParameter,
                    known.isEmpty
                        ? "this takes no query parameters, but there is \(name.quoted)"
                        : "there is no query parameter \(name.quoted) here; there are "
                            + known.sorted().joined(separator: ", ")
                )
            }
            guard values.updateValue(String(value), forKey: name) == nil else {
                throw ProblemJSON(.invalidParameter, "\(name) is given twice")
            }
        }
        self.values = values
    }

    /// The size of the page that is asked for.
    func limit() throws(ProblemJSON) -> Int {
        guard let limit = try integer("limit", in: Self.pageSizes) else { return Self.defaultPageSize }
        return Int(limit)
    }

    /// An integer.
    func integer(_ name: String, in range: ClosedRange<Int64>) throws(ProblemJSON) -> Int64? {
        guard let text = values[name] else { return nil }
        guard let number = Int64(decimal: text), range.contains(number) else {
            let most =
                range.upperBound == .max
                ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
            throw ProblemJSON(.invalidParameter, "\(name) must be an integer, \(most), not \(text.quoted)")
        }
        return number
    }

    /// A moment.
    func time(_ name: String) throws(ProblemJSON) -> Timestamp? {
        guard let text = values[name] else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw ProblemJSON(
                .invalidParameter,
                "\(name) must be a time such as 2026-11-21T06:45:00Z, not \(text.quoted)"
            )
        }
        return time
    }

    /// A parameter that is `true` or `false`.
    func boolean(_ name: String) throws(ProblemJSON) -> Bool? {
        guard let text = values[name] else { return nil }
        guard text == "true" || text == "false" else {
            throw ProblemJSON(.invalidParameter, "\(name) must be true or false, not \(text.quoted)")
        }
        return text == "true"
    }

    /// The filter of a list of jobs.
    func filter() throws(ProblemJSON) -> JobFilter {
        var filter = JobFilter()
        if let text = values["state"] {
            guard let state = JobState(inAPI: text) else {
                throw ProblemJSON(
                    .invalidParameter,
                    "there is no state \(text.quoted); there are "
                        + JobJSON.State.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            filter.state = state
        }
        filter.batch = try integer("batch", in: 1...Int64.max).map(BatchID.init(rawValue:))
        if let text = values["q"] {
            guard Self.searchLengths.contains(text.unicodeScalars.count) else {
                throw ProblemJSON(
                    .invalidParameter,
                    "q must have \(Self.searchLengths.lowerBound) to \(Self.searchLengths.upperBound) characters"
                )
            }
            filter.text = text
        }
        return filter
    }
}

extension Int64 {
    /// Digits and nothing else: no plus, no spaces, no leading zeros that would make two names for one id.
    init?(decimal text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        self.init(text)
    }
}
