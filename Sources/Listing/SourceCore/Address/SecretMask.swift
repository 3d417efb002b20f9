import Vocabulary

/// Replaces secrets by their names in what servers say, since that is stored, shown and logged.
///
/// A server may repeat what it was sent: in an error, in the URL of a picture, or in an item, and in any
/// spelling (``SecretSearch``), or in base64.
public struct SecretMask: Hashable, Sendable {
    /// The shortest text that is looked for: a shorter one is found where nobody meant it.
    static let shortest = 4

    private let search: SecretSearch

    /// Creates a mask for secrets by their names.
    ///
    /// Of a file with several lines each value is a secret, and of one like ~/.aws/credentials the keys.
    public init(_ secrets: [String: String] = [:]) {
        var all: [(secret: String, name: String)] = []
        for (name, secret) in secrets {
            let lines = secret.split(whereSeparator: \.isNewline).map(String.init)
            let values = lines.count < 2 ? [secret] : Self.values(of: lines)
            for value in values where value.utf8.count >= Self.shortest { all.append((value, "{\(name)}")) }
        }
        // Another name, since that of the secret may be filled in again.
        search = SecretSearch(all) { "\($0.dropLast()) in base64}" }
    }

    /// True if there is nothing to hide.
    public var isEmpty: Bool { search.isEmpty }

    /// Returns a text without the secrets.
    public func masked(_ text: String) -> String { search.replacing(in: text) }

    /// Returns a text without the secrets that is no longer than it was, where there is a limit to that.
    public func shortened(_ text: String) -> String { search.replacing(in: text, isShort: true) }

    /// Returns whether a text has a secret in it.
    public func isNeeded(by text: String) -> Bool { search.replacing(in: text) != text }

    /// Returns a text of which parts were left out, without the secrets and without what is left of one
    /// whose end is missing.
    public func maskedExcerpt(_ text: String) -> String { search.replacing(in: text, isCut: true) }

    /// Returns a failure that repeats none of the secrets.
    public func masked(_ failure: SourceFailure) -> SourceFailure {
        var failure = failure
        failure.message = maskedExcerpt(failure.message)
        failure.excerpt = failure.excerpt.map(maskedExcerpt)
        return failure
    }

    /// The secrets of a file with several lines.
    ///
    /// Regions and formats, which stand beside keys in ~/.aws/credentials, are found in honest names.
    private static func values(of lines: [String]) -> [String] {
        let entries = lines.compactMap { line -> (name: String, value: String)? in
            guard let mark = line.firstIndex(of: "=") else { return nil }
            return (line[..<mark].trimmed.lowercased(), line[line.index(after: mark)...].trimmed)
        }
        let keys = entries.filter { keyNames.contains($0.name) }
        return (keys.isEmpty ? entries : keys).map(\.value)
    }

    private static let keyNames = ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"]
}
