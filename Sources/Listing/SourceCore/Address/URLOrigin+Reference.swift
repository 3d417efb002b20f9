import Vocabulary

extension URLOrigin {
    /// The origin of a URL; nil if it can't be fetched.
    ///
    /// A host's final dot is left out.
    public init?(_ url: URLReference) {
        guard let scheme = url.scheme, let host = url.host, !host.isEmpty else { return nil }
        guard let usual = ["http": 80, "https": 443][scheme] else { return nil }
        let port = (url.port ?? "").isEmpty ? usual : Int(url.port ?? "")
        guard let port, (1...65_535).contains(port) else { return nil }
        self.init(scheme: scheme, host: host.hasSuffix(".") ? String(host.dropLast()) : host, port: port)
    }
}
