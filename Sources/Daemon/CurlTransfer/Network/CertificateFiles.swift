import CCurl

/// The PEM files with which TLS proves who is who.
public struct CertificateFiles: Hashable, Sendable {
    /// Authorities to trust besides the system's; nil for none.
    public var authorities: String?
    /// The certificate to show to servers that ask for one, with those that vouch for it; nil for none.
    public var client: String?
    /// The key of ``client``; nil if it is in the same file.
    public var clientKey: String?

    public init(authorities: String? = nil, client: String? = nil, clientKey: String? = nil) {
        self.authorities = authorities
        self.client = client
        self.clientKey = clientKey
    }

    /// Has an easy handle use these files, and no others that it was told of before.
    func apply(to easy: UnsafeMutableRawPointer) {
        // The system's authorities are in a directory as well (CURLOPT_CAPATH), which stays as it is.
        setFile(CURLOPT_CAINFO, authorities ?? Self.systemAuthorities, of: easy)
        setFile(CURLOPT_SSLCERT, client, of: easy)
        // Without one, the key is looked for in the certificate's file.
        setFile(CURLOPT_SSLKEY, clientKey, of: easy)
    }

    private func setFile(_ option: CURLoption, _ path: String?, of easy: UnsafeMutableRawPointer) {
        _ = CCurl_easy_setopt_string(easy, option, path)
    }

    /// The file that libcurl trusts by itself; nil if it was built without one.
    private static let systemAuthorities = CCurl_default_authorities().map { String(cString: $0) }
}
