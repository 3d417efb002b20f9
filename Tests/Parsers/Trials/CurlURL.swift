import CCurl

@testable import CurlTransfer

/// The place where libcurl would go.
struct CurlURL {
    let scheme: String
    let host: String
    let port: Int
    let user: String?
    let password: String?

    /// Nil where libcurl refuses the URL.
    init?(_ text: String) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: handle),
            let host = Self.part(CURLUPART_HOST, of: handle),
            let port = Self.part(CURLUPART_PORT, of: handle, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { return nil }
        self.scheme = scheme
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.host = bare.lowercased()
        self.port = port
        user = Self.part(CURLUPART_USER, of: handle)
        password = Self.part(CURLUPART_PASSWORD, of: handle)
    }

    /// Returns whether this is the host that we take it for.
    ///
    /// libcurl also knows a zone apart from its address, and writes `0x7f.1` and `1::0` as the
    /// addresses that they stand for.
    func isAt(_ other: String) -> Bool {
        let bare = String(other.prefix { $0 != "%" })
        if host == bare { return true }
        if let address = IPAddress(bare), address == IPAddress(host) { return true }
        let digits = "0123456789abcdefx."
        return other.allSatisfy(digits.contains) && host.allSatisfy("0123456789.".contains)
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
