/// A request's target in absolute form, such as `http://example.org/v1/status` (RFC 9112 §3.2.2).
public struct AbsoluteTarget: Hashable, Sendable {
    /// The host, with the port if there is one.
    public let host: String
    /// The path, with the query if there is one.
    public let path: String

    /// Takes a target apart; nil if it has another form.
    public init?(_ target: String) {
        guard target.utf8.first != UInt8(ascii: "/"),
            let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) })
        else { return nil }
        let rest = target.dropFirst(scheme.count)
        // Not by characters, of which one may be a slash with an accent on it.
        let host = rest.utf8.prefix { !"/?#\\".utf8.contains($0) }
        let path = Substring(rest.utf8[host.endIndex...])
        self.host = String(Substring(host))
        self.path = path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path
    }
}
