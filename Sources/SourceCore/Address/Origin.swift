/// The scheme, host and port of a URL (RFC 6454 §4), which limit where a secret is sent.
public struct Origin: Hashable, Sendable {
    /// The part in lower case.
    public let scheme: String
    /// The part in lower case.
    public let host: String
    /// The port, which is the scheme's default if the URL gives none.
    public let port: Int

    /// The origin as text.
    var text: String { "\(scheme)://\(host):\(port)" }

    /// Creates the origin of a URL; nil if it can't be fetched.
    public init?(_ url: URLReference) {
        guard let scheme = url.scheme, let host = url.host, !host.isEmpty else { return nil }
        guard let usual = ["http": 80, "https": 443][scheme] else { return nil }
        let port = (url.port ?? "").isEmpty ? usual : Int(url.port ?? "")
        guard let port, (1...65_535).contains(port) else { return nil }
        self.scheme = scheme
        self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
        self.port = port
    }

    /// Returns whether secrets for this origin may be sent to another: to itself, and from http to https
    /// on the same host if both use their default ports.
    public func covers(_ other: Origin) -> Bool {
        self == other
            || (host == other.host && scheme == "http" && port == 80 && other.scheme == "https"
                && other.port == 443)
    }
}
