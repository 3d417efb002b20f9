/// The scheme, host and port of a URL (RFC 6454 §4), which limit where a secret is sent.
public struct URLOrigin: Hashable, Sendable {
    /// The part in lower case.
    public let scheme: String
    /// The part in lower case.
    public let host: String
    /// The port, which is the scheme's default if the URL gives none.
    public let port: Int

    public init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The origin as text.
    public var text: String { "\(scheme)://\(host):\(port)" }

    /// Returns whether secrets for this origin may be sent to another: to itself, and from http to https
    /// on the same host if both use their default ports.
    public func covers(_ other: URLOrigin) -> Bool {
        self == other
            || (host == other.host && scheme == "http" && port == 80 && other.scheme == "https"
                && other.port == 443)
    }
}
