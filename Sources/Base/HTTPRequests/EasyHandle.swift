import CCurl

/// An easy handle of libcurl, with what it was given that has to last as long as it does.
///
/// Not Sendable: one thread at a time uses it.
public final class EasyHandle {
    /// libcurl's own handle.
    public let easy: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var sessions: TLSSessions?
    private var sink: (UnsafeRawBufferPointer) -> Bool = { _ in true }

    /// Nil when libcurl has no memory for it.
    public init?() {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
    }

    /// Sets the header fields that requests send besides libcurl's own: `NAME: VALUE`, or `NAME:` for none.
    public func setHeaders(_ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { list = curl_slist_append(list, line) ?? list }
        CCurl_easy_setopt_list(easy, CURLOPT_HTTPHEADER, list)
        curl_slist_free_all(headers)
        headers = list
    }

    /// Has connections go on from these TLS sessions, and from no others.
    ///
    /// libcurl 7.88 loses the handle's own ones with that, which is for requests not under way.
    public func resume(_ sessions: TLSSessions) {
        guard self.sessions !== sessions else { return }
        CCurl_easy_setopt_pointer(easy, CURLOPT_SHARE, sessions.share)
        self.sessions = sessions
    }

    /// Makes the request a POST of a body, which libcurl copies.
    public func setBody(_ body: [UInt8]) {
        CCurl_easy_setopt_long(easy, CURLOPT_POST, 1)
        CCurl_easy_setopt_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // Given a null pointer, libcurl would ask a callback for the body.
        guard !body.isEmpty else {
            CCurl_easy_setopt_string(easy, CURLOPT_COPYPOSTFIELDS, "")
            return
        }
        body.withUnsafeBytes { bytes in
            _ = CCurl_easy_setopt_pointer(
                easy,
                CURLOPT_COPYPOSTFIELDS,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            )
        }
    }

    /// Hands over each piece of a body as it comes; false gives the transfer up.
    public func receive(_ sink: @escaping (UnsafeRawBufferPointer) -> Bool) {
        self.sink = sink
        CCurl_easy_setopt_receive(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context else { return 0 }
            let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return handle.sink(piece) ? piece.count : 0
        }
        // Unretained, because callbacks only come from within calls that hold this object.
        CCurl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Prepares a request to the daemon behind a socket, keeping the connection.
    ///
    /// - Parameters:
    ///   - headers: More header fields.
    ///   - type: The media type of the body.
    ///   - timeout: The time limit in seconds for the whole request; 0 for none.
    public func prepare(
        _ method: String,
        _ target: String,
        at socket: String,
        headers: [String],
        body: [UInt8]?,
        type: String,
        timeout: Int,
        agent: String
    ) {
        curl_easy_reset(easy)
        CCurl_easy_setopt_string(easy, CURLOPT_UNIX_SOCKET_PATH, socket)
        CCurl_easy_setopt_string(easy, CURLOPT_URL, "http://localhost" + target)
        // The environment must not divert a request from the socket.
        CCurl_easy_setopt_string(easy, CURLOPT_PROXY, "")
        CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_TIMEOUT, timeout)
        CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, agent)
        // The daemon says what it doesn't take; waiting for its leave costs a second.
        setHeaders(["Expect:", body == nil ? "Content-Type:" : "Content-Type: \(type)"] + headers)
        if method != "GET" { setBody(body ?? []) }
        CCurl_easy_setopt_string(easy, CURLOPT_CUSTOMREQUEST, method)
    }

    /// The status of the current answer; 0 before there is one.
    public var status: Int {
        var code = 0
        CCurl_easy_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &code)
        return code
    }

    /// libcurl's own words for a result.
    public static func words(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}

/// TLS sessions that several handles have in common, so that further connections can do without a part of the handshake.
///
/// libcurl keeps eight of them (7.88), or a few more. Not Sendable: one thread at a time uses it and its handles.
public final class TLSSessions {
    let share: UnsafeMutableRawPointer

    /// Nil when libcurl has no memory for it.
    public init?() {
        guard let share = curl_share_init() else { return nil }
        guard CCurl_share_data(share, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else {
            curl_share_cleanup(share)
            return nil
        }
        self.share = share
    }

    deinit { curl_share_cleanup(share) }
}
