import ControlAPI
import HTTPServer

/// The query parameters of a request: each at most once, and none that the endpoint doesn't know.
struct Query {
    private let values: [String: String]
    private let members: [(name: String, key: String, value: String)]

    /// Parses the query of a request; under `families`, any name that begins with one of them and a dot.
    init(_ request: Request, known: Set<String>, families: Set<String>) throws(ProblemJSON) {
        var values: [String: String] = [:]
        var members: [(name: String, key: String, value: String)] = []
        for (name, value) in try FormQuery.pairs(request.query ?? "") {
            if let family = families.first(where: { name.hasPrefix($0 + ".") }) {
                members.append((family, String(name.dropFirst(family.count + 1)), value))
                continue
            }
            guard !families.contains(name) else {
                throw ProblemJSON(.invalidParameter, "\(name) needs a key, as in \(name).album=holiday")
            }
            guard known.contains(name) else {
                throw ProblemJSON(
                    .invalidParameter,
                    known.isEmpty
                        ? "this takes no query parameters, but one was given: \(name.quoted)"
                        : "there is no query parameter \(name.quoted) here; there are "
                            + known.sorted().joined(separator: ", ")
                )
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw ProblemJSON(.invalidParameter, "\(name) is given twice")
            }
        }
        self.values = values
        self.members = members
    }

    /// The members that are given of a family of parameters, in order.
    func members(of family: String) -> [(key: String, value: String)] {
        members.filter { $0.name == family }.map { ($0.key, $0.value) }
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
