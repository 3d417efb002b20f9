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
        let parts = URLParts(Self.cleaned(text))
        scheme = parts.scheme?.lowercased()
        if let authority = parts.authority.map(URLAuthority.init) {
            userinfo = authority.userInformation.map(String.init)
            host = authority.host.lowercased()
            port = authority.port.map(String.init)
        }
        path = String(parts.path)
        query = parts.query.map(String.init)
        fragment = parts.fragment.map(String.init)
    }

    private static func cleaned(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)[...]
        while let first = scalars.first, first.value <= 0x20 { scalars.removeFirst() }
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        var result = String.UnicodeScalarView()
        for scalar in scalars where ![0x09, 0x0A, 0x0D].contains(scalar.value) { result.append(scalar) }
        return String(result)
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

    /// True if this can be fetched and has neither a query nor credentials, so that paths can be put behind it.
    public var isBase: Bool { isFetchable && query == nil && fragment == nil && userinfo == nil }
}
