import ControlAPI
import Hummingbird

/// The query parameters of a request: each at most once, and none that the endpoint doesn't know.
struct Query {
    private let values: [String: String]

    /// Parses the query of a request.
    init(_ request: Request, known: Set<String>) throws(ProblemJSON) {
        var values: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard known.contains(name) else {
                throw ProblemJSON(
                    .invalidParameter,
                    known.isEmpty
                        ? "this takes no query parameters, but one was given: \(name.quoted)"
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

    /// The text of a parameter; nil if it isn't given.
    subscript(_ name: String) -> String? { values[name] }
}

extension Int64 {
    /// Reads a number of digits only: without a sign, spaces, or leading zeros that would give one id
    /// two names.
    init?(decimal text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        self.init(text)
    }
}
