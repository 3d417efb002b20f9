import ControlAPI
import Vocabulary

/// The query of a request as pairs, decoded in one way for every parameter: form encoding
/// (`application/x-www-form-urlencoded`, WHATWG URL §5.1).
///
/// A `+` is a space, and a plus sign is `%2B`. RFC 3986 §3.4 leaves both to whoever reads a query; browsers, `curl
/// --data-urlencode` and the HTTP libraries of most languages write them so. A percent sign that two hexadecimal
/// digits don't follow stands for itself.
enum FormQuery {
    /// Returns the names and values of a query, without its question mark, in order.
    ///
    /// - Throws: ``ProblemJSON`` where bytes aren't UTF-8.
    static func pairs(_ query: String) throws(ProblemJSON) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            pairs.append((try decode(name), try decode(part[name.endIndex...].dropFirst())))
        }
        return pairs
    }

    private static func decode(_ part: Substring.UTF8View) throws(ProblemJSON) -> String {
        let bytes = PercentEncoding.decodedBytes(Substring(part), isForm: true)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ProblemJSON(
                .invalidParameter,
                "the query has bytes that are not UTF-8: \(String(Substring(part)).quoted)"
            )
        }
        return text
    }
}
