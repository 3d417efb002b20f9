import Vocabulary

/// The head of a response as a person has saved it, such as with `curl -D`.
public struct SavedHead: Hashable, Sendable {
    /// The longest head that is read, in bytes.
    public static let longest = 64 << 10

    /// The header fields with names in lower case; of fields with the same name, the first counts.
    public private(set) var fields: [String: String] = [:]
    /// The response's links by relation.
    public private(set) var links: [String: String] = [:]

    /// Reads a head; nil for what is too long, or has a line that is no field.
    ///
    /// There can be several, of redirects, each of which begins with a status line (RFC 9112 §4): the last counts. A
    /// body behind it is left out.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        var all: [(name: String, value: String)] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            // An empty line ends a head, and only another head may follow.
            if line.allSatisfy(\.isWhitespace) { continue }
            if line.hasPrefix("HTTP/") {
                all = []
                continue
            }
            if let first = line.first, first == " " || first == "\t", !all.isEmpty {
                // An old way of going on with a field (RFC 9112 §5.2).
                all[all.count - 1].value += " " + line.trimmed
                continue
            }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon].lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else { return nil }
            all.append((name, line[line.index(after: colon)...].trimmed))
        }
        for field in all where fields[field.name] == nil { fields[field.name] = field.value }
        links = LinkField.byRelation(all.filter { $0.name == "link" }.map(\.value))
    }

    /// Returns whether a byte can be in the name of a field (RFC 9110 §5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
