/// The address that error reports go to: what Sentry calls a DSN, `SCHEME://KEY@HOST[:PORT][/PATH]/PROJECT`.
///
/// https://develop.sentry.dev/sdk/foundations/transport/authentication/
public struct ReportAddress: Hashable, Sendable {
    /// The longest address in bytes.
    static let maximumLength = 1000

    /// The URL that envelopes are posted to.
    public let url: String
    private let key: String

    /// Reads an address; nil if it isn't one.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength,
            let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard let at = rest.firstIndex(of: "@"), let slash = rest.firstIndex(of: "/"), at < slash else {
            return nil
        }
        // The secret behind the key is of older versions; no receiver asks for it any more.
        let user = rest[..<at].split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(user.count), user.allSatisfy(Self.isWord) else { return nil }
        let host = rest[rest.index(after: at)..<slash]
        guard Self.isHost(host) else { return nil }
        var path = rest[rest.index(after: slash)...].split(separator: "/", omittingEmptySubsequences: false)
        guard let project = path.popLast(), Self.isWord(project), path.allSatisfy(Self.isPart) else {
            return nil
        }
        key = String(user[0])
        url = scheme + host + path.map { "/" + $0 }.joined() + "/api/\(project)/envelope/"
    }

    /// Returns the header field that authorizes a request.
    public func authorization(client: String) -> String {
        "X-Sentry-Auth: Sentry sentry_version=7, sentry_client=\(client), sentry_key=\(key)"
    }

    private static func isWord(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x5F }
    }

    private static func isPart(_ text: Substring) -> Bool {
        text.utf8.contains { $0 != 0x2E }
            && text.utf8.allSatisfy { $0.isLetterOrDigit || [0x2D, 0x2E, 0x5F, 0x7E].contains($0) }
    }

    /// Returns whether this is a name or an address, perhaps with a port.
    private static func isHost(_ text: Substring) -> Bool {
        let isInBrackets = text.hasPrefix("[")
        let end = isInBrackets ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
        let name = text[..<(end ?? text.endIndex)]
        let port = text[(end ?? text.endIndex)...]
        guard port.isEmpty || (port.first == ":" && UInt16(port.dropFirst()).map { $0 > 0 } == true) else {
            return false
        }
        guard isInBrackets else { return !name.isEmpty && isPart(name) }
        return name.count > 2 && name.last == "]"
            && name.dropFirst().dropLast().utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x3A || $0 == 0x2E }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
