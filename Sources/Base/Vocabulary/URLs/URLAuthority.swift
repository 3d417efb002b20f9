/// The authority of a URL (RFC 3986 §3.2), split into its parts as they are written.
public struct URLAuthority: Hashable, Sendable {
    /// The part before an `@`, a user and perhaps a password; nil if there is none.
    public var userInformation: Substring?
    /// The host; an IPv6 address in its brackets.
    public var host: Substring
    /// The part after the host's colon, which may be empty; nil if there is none.
    public var port: Substring?

    /// Splits the authority of a URL.
    public init(_ text: Substring) {
        var rest = text.utf8
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            userInformation = Substring(rest[..<at])
            rest = rest[at...].dropFirst()
        }
        let afterBracket = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
        if let colon = rest[afterBracket...].lastIndex(of: UInt8(ascii: ":")) {
            port = Substring(rest[colon...].dropFirst())
            rest = rest[..<colon]
        }
        host = Substring(rest)
    }

    /// The host in lower case, an IPv6 address without its brackets.
    public var hostName: String {
        let bytes = host.utf8
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else {
            return host.lowercased()
        }
        return Substring(bytes.dropFirst().dropLast()).lowercased()
    }
}
