/// Replaces secrets by their names in what servers say, since that is stored, shown and logged.
///
/// A server may repeat what it was sent: in an error, in the URL of a picture, or in an item.
public struct SecretMask: Hashable, Sendable {
    /// A way to write a secret, and the text that takes its place.
    private struct Spelling: Hashable, Sendable {
        var text: String
        var name: String
    }

    /// The shortest text that is looked for: a shorter one is found where nobody meant it.
    static let shortest = 4

    /// How much of a secret's beginning is taken for that secret within a text, in characters: less is found
    /// in honest texts, `https://` for one.
    static let shortestPart = 12

    /// The longer ones first, since one secret may be part of another.
    private let spellings: [Spelling]

    /// Creates a mask for secrets by their names.
    ///
    /// Of a file with several lines, such as ~/.aws/credentials, each value is a secret.
    public init(_ secrets: [String: String] = [:]) {
        var all: Set<Spelling> = []
        for (name, secret) in secrets {
            let lines = secret.split(whereSeparator: \.isNewline).map(String.init)
            let values = lines.count < 2 ? [secret] : lines.compactMap(Self.value)
            for value in values where value.utf8.count >= Self.shortest {
                for text in Self.texts(of: value) { all.insert(Spelling(text: text, name: "{\(name)}")) }
            }
        }
        spellings = all.sorted { ($1.text.utf8.count, $0.text) < ($0.text.utf8.count, $1.text) }
    }

    /// Returns a text without the secrets.
    public func masked(_ text: String) -> String {
        spellings.reduce(text) { $0.replacing($1.text, with: $1.name) }
    }

    /// Returns a text of which parts were left out, without the secrets and without what is left of one
    /// whose end is missing.
    public func maskedExcerpt(_ text: String) -> String {
        spellings.reduce(masked(text)) { given, spelling in
            var text = given
            let parts = stride(from: spelling.text.count - 1, through: Self.shortest, by: -1)
            if let cut = parts.first(where: { text.hasSuffix(spelling.text.prefix($0)) }) {
                text = text.dropLast(cut) + spelling.name
            }
            let start = spelling.text.prefix(Self.shortestPart)
            guard start.count == Self.shortestPart else { return text }
            var (rest, result) = (text[...], "")
            while let found = rest.firstRange(of: start) {
                let length = zip(rest[found.lowerBound...], spelling.text).prefix { $0 == $1 }.count
                result += rest[..<found.lowerBound] + spelling.name
                rest = rest[found.lowerBound...].dropFirst(length)
            }
            return result + rest
        }
    }

    /// Returns a failure that repeats none of the secrets.
    public func masked(_ failure: SourceFailure) -> SourceFailure {
        var failure = failure
        failure.message = maskedExcerpt(failure.message)
        failure.excerpt = failure.excerpt.map(maskedExcerpt)
        return failure
    }

    private static func value(_ line: String) -> String? {
        guard let mark = line.firstIndex(of: "=") else { return nil }
        return String(line[line.index(after: mark)...].drop { $0 == " " || $0 == "\t" })
    }

    /// As it is, as a part of a URL, as in a form, and within a text of JSON.
    private static func texts(of value: String) -> [String] {
        let encoded = PercentEncoding.encode(value)
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return [
            value, encoded, encoded.replacing("%20", with: "+"), escaped, escaped.replacing("/", with: "\\/"),
        ]
    }
}
