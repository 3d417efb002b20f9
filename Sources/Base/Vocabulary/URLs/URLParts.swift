/// A URL or a relative reference, split into the parts of RFC 3986, Appendix B, as they are written.
///
/// By bytes, as servers and libcurl read: a slash with a combining mark is another character, and still a
/// slash. All that takes a URL apart here begins with this, so that the parts are the same for all.
public struct URLParts: Hashable, Sendable {
    /// The scheme as written; nil for a relative reference.
    public var scheme: Substring?
    /// The part between `//` and the path; nil if there is none.
    public var authority: Substring?
    /// The path, which may be empty.
    public var path: Substring
    /// The part after `?`; nil if there is none.
    public var query: Substring?
    /// The part after `#`, which is never sent; nil if there is none.
    public var fragment: Substring?

    /// Splits a text, of which any is a reference.
    public init(_ text: some StringProtocol) {
        var rest = Substring(text)
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Substring(rest.utf8[mark...].dropFirst())
            rest = rest[..<mark]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = Substring(rest.utf8[mark...].dropFirst())
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest.utf8[..<colon]) {
            scheme = rest[..<colon]
            rest = Substring(rest.utf8[colon...].dropFirst())
        }
        if rest.utf8.starts(with: "//".utf8) {
            let afterSlashes = rest.utf8.dropFirst(2)
            let end = afterSlashes.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Substring(afterSlashes[..<end])
            rest = rest[end...]
        }
        path = rest
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, (0x61...0x7A).contains(first | 0x20) else { return false }
        return text.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "+-.".utf8.contains(byte)
            }
        }
    }

    /// The scheme of a URL that is fetched over HTTP, in lower case; nil for any other and for a reference.
    public var httpScheme: String? {
        guard authority != nil, let scheme = scheme?.lowercased() else { return nil }
        return scheme == "http" || scheme == "https" ? scheme : nil
    }

    /// The parts together again, without the fragment.
    var text: String {
        var text = scheme.map { "\($0):" } ?? ""
        if let authority { text += "//\(authority)" }
        text += path
        if let query { text += "?\(query)" }
        return text
    }

    /// The same with everything percent-encoded that may not stand where it does, and nothing else.
    ///
    /// What is encoded already stays as it is; a percent sign that encodes nothing is encoded itself. A host
    /// between brackets isn't touched.
    var encoded: URLParts {
        var parts = self
        parts.authority = authority.map(Self.encodedAuthority)
        parts.path = Substring(URLCharacters.path.encoding(path))
        parts.query = query.map { Substring(URLCharacters.query.encoding($0)) }
        return parts
    }

    private static func encodedAuthority(_ given: Substring) -> Substring {
        var (user, host) = ("", given)
        if let at = given.utf8.lastIndex(of: UInt8(ascii: "@")) {
            user = URLCharacters.user.encoding(given[..<at]) + "@"
            host = Substring(given.utf8[at...].dropFirst())
        }
        // A name without escapes is left to the code that knows the rules of international names.
        let isLeft = host.utf8.first == UInt8(ascii: "[") || !host.utf8.contains(UInt8(ascii: "%"))
        return Substring(user + (isLeft ? String(host) : URLCharacters.host.encoding(host)))
    }

    /// Resolves a reference against this URL (RFC 3986 §5.2.2), as browsers and libcurl do with redirects.
    ///
    /// One that is a whole URL stays as it is, its dots included, like one that was given; links in pages
    /// (SourceCore's URLReference) lose them, by the letter of the RFC.
    func resolving(_ reference: URLParts) -> URLParts {
        guard reference.scheme == nil else { return reference }
        var target = reference
        target.scheme = scheme
        if reference.authority == nil {
            target.authority = authority
            if reference.path.isEmpty {
                target.path = path
                target.query = reference.query ?? query
                return target
            }
            if reference.path.utf8.first != UInt8(ascii: "/") { target.path = merged(with: reference.path) }
        }
        target.path = Self.withoutDots(target.path)
        return target
    }

    /// Merges a relative path with this URL's path (RFC 3986 §5.2.3), without the dots in it: so it was asked for.
    private func merged(with other: Substring) -> Substring {
        let path = Self.withoutDots(path)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" + other }
        return Substring(path.utf8[...slash]) + other
    }

    /// Removes dot segments (RFC 3986 §5.2.4).
    public static func withoutDots(_ path: Substring) -> Substring {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let segments = path.utf8.dropFirst(isAbsolute ? 1 : 0).split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        ).map(Substring.init)
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            guard segment == "." || segment == ".." else {
                kept.append(segment)
                continue
            }
            if segment == ".." { _ = kept.popLast() }
            if index == segments.count - 1 { kept.append("") }
        }
        return Substring((isAbsolute ? "/" : "") + kept.joined(separator: "/"))
    }
}
