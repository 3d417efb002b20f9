import Vocabulary

/// A URL or a relative reference, split into the parts of RFC 3986 §3 without decoding.
public struct URLReference: Hashable, Sendable {
    /// The scheme in lower case, without its colon.
    public var scheme: String?
    /// The part between the slashes and an `@`.
    public var userinfo: String?
    /// The host in lower case; nil if there is no authority.
    public var host: String?
    /// The port as written; nil if there is none.
    public var port: String?
    /// The path.
    public var path: String
    /// The part after `?`.
    public var query: String?
    /// The part after `#`.
    public var fragment: String?

    /// Parses a text; every text is a valid reference (RFC 3986, Appendix B).
    ///
    /// As in browsers, white space around it is removed, and so are tabs and line breaks within.
    public init(_ text: String) {
        // By bytes, as servers and libcurl read: a slash with a combining mark is another character, and
        // still a slash.
        var rest = Substring(Self.cleaned(text)).utf8
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(Substring(rest[mark...].dropFirst()))
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(rest[mark...].dropFirst()))
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = Substring(rest[..<colon]).lowercased()
            rest = rest[colon...].dropFirst()
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            (userinfo, host, port) = Self.authority(rest[..<end])
            rest = rest[end...]
        }
        path = String(Substring(rest))
    }

    private static func cleaned(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)[...]
        while let first = scalars.first, first.value <= 0x20 { scalars.removeFirst() }
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        var result = String.UnicodeScalarView()
        for scalar in scalars where ![0x09, 0x0A, 0x0D].contains(scalar.value) { result.append(scalar) }
        return String(result)
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, (0x41...0x5A).contains(first & ~0x20) else { return false }
        return text.allSatisfy {
            PercentEncoding.isUnreserved($0) && $0 != 0x5F && $0 != 0x7E || $0 == 0x2B
        }
    }

    private static func authority(
        _ text: Substring.UTF8View
    ) -> (userinfo: String?, host: String, port: String?) {
        var rest = text
        var userinfo: String?
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            userinfo = String(Substring(rest[..<at]))
            rest = rest[at...].dropFirst()
        }
        let afterBracket = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
        guard let colon = rest[afterBracket...].lastIndex(of: UInt8(ascii: ":")) else {
            return (userinfo, Substring(rest).lowercased(), nil)
        }
        let port = String(Substring(rest[colon...].dropFirst()))
        return (userinfo, Substring(rest[..<colon]).lowercased(), port)
    }

    /// The reference as text.
    public var text: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// User, host and port as written in a URL.
    var authority: String? {
        guard let host else { return nil }
        return (userinfo.map { $0 + "@" } ?? "") + host + (port.map { ":" + $0 } ?? "")
    }

    /// True if this is an http or https URL with a host, which can be fetched.
    public var isFetchable: Bool { ["http", "https"].contains(scheme) && !(host ?? "").isEmpty }
}
