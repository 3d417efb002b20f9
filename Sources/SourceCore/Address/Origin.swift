/// Scheme, host and port of a URL (RFC 6454 §4): what a secret is sent to, and nothing else.
public struct Origin: Hashable, Sendable {
    /// In lower case.
    public let scheme: String
    /// In lower case.
    public let host: String
    /// The port, also where the URL leaves it out.
    public let port: Int

    /// The origin of a URL; nil where it has none that can be fetched from.
    public init?(_ url: URLReference) {
        guard let scheme = url.scheme, let host = url.host, !host.isEmpty else { return nil }
        guard let usual = ["http": 80, "https": 443][scheme] else { return nil }
        let port = (url.port ?? "").isEmpty ? usual : Int(url.port ?? "")
        guard let port, (1...65_535).contains(port) else { return nil }
        self.scheme = scheme
        self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
        self.port = port
    }

    /// Whether secrets for this origin may go to another: to itself, and to the same host over https
    /// on the usual ports where this one is http on its usual port.
    public func covers(_ other: Origin) -> Bool {
        self == other
            || (host == other.host && scheme == "http" && port == 80 && other.scheme == "https"
                && other.port == 443)
    }
}
