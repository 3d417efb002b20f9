import Vocabulary

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
        let parts = URLParts(url)
        let authority = URLAuthority(parts.authority ?? "")
        let ownPort = parts.httpScheme == "https" ? "443" : "80"
        let port = authority.port.flatMap { $0.isEmpty || $0 == ownPort ? nil : ":\($0)" } ?? ""
        host = authority.host.lowercased() + port
        path = parts.path.isEmpty ? "/" : String(parts.path)
        query = parts.query.map(String.init) ?? ""
    }
}
