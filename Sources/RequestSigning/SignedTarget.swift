/// The parts of a URL that are signed, as they stand in it.
struct SignedTarget: Hashable, Sendable {
    /// The value of the field `Host`: without user and password, and without the scheme's own port (RFC 9110
    /// §7.2).
    let host: String
    /// The path, `/` where the URL has none.
    let path: String
    /// The query without its `?`; empty if the URL has none.
    let query: String

    /// Takes apart an absolute URL with http or https as its scheme (RFC 3986 §3).
    init(_ url: String) {
        let isSecure = url.prefix(8).lowercased() == "https://"
        let afterScheme = url.dropFirst(isSecure ? 8 : 7)
        let beforeFragment = afterScheme.prefix { $0 != "#" }
        let authority = beforeFragment.prefix { $0 != "/" && $0 != "?" }
        let rest = beforeFragment[authority.endIndex...]
        let path = rest.prefix { $0 != "?" }
        var host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let ownPort = isSecure ? ":443" : ":80"
        if host.hasSuffix(ownPort) { host = host.dropLast(ownPort.count) }
        if host.hasSuffix(":") { host = host.dropLast() }
        self.host = host.lowercased()
        self.path = path.isEmpty ? "/" : String(path)
        query = String(rest[path.endIndex...].dropFirst())
    }
}
