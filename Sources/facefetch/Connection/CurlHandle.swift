import CCurl
import ControlAPI

/// An easy handle of libcurl that speaks HTTP to the control socket.
///
/// Not Sendable: it stays with the thread that made it.
final class CurlHandle {
    /// libcurl's own handle.
    let easy: UnsafeMutableRawPointer
    /// The path of the socket.
    let socketPath: String
    /// The part of the body received and not yet taken.
    private(set) var received: [UInt8] = []
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// The most bytes in one read from the socket (CURLOPT_BUFFERSIZE, which allows no more in libcurl 7.88).
    private static let bufferSize = 512 << 10

    /// Creates a handle for the socket at `socketPath` without connecting.
    ///
    /// - Throws: ``ClientError`` if libcurl has no memory.
    init(socketPath: String) throws(ClientError) {
        guard let easy = curl_easy_init() else {
            throw .unsuccessful("libcurl could not be started: there is not enough memory.")
        }
        self.easy = easy
        self.socketPath = socketPath
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
    }

    /// Prepares the handle for a request, keeping its connection.
    ///
    /// - Parameter timeout: The time limit in seconds for the whole request; 0 for none.
    func prepare(_ request: HTTPRequest, timeout: Int) {
        curl_easy_reset(easy)
        received = []
        CCurl_easy_setopt_string(easy, CURLOPT_UNIX_SOCKET_PATH, socketPath)
        CCurl_easy_setopt_string(easy, CURLOPT_URL, "http://localhost" + request.target)
        // The environment must not divert a request from the socket.
        CCurl_easy_setopt_string(easy, CURLOPT_PROXY, "")
        CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT, 10)
        CCurl_easy_setopt_long(easy, CURLOPT_TIMEOUT, timeout)
        // A page of jobs has a megabyte, and the default is 16 KiB a read.
        CCurl_easy_setopt_long(easy, CURLOPT_BUFFERSIZE, Self.bufferSize)
        CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, "facefetch/\(ProductVersion.current)")
        // The daemon says what it doesn't take; waiting for its leave costs a second.
        let type = request.body == nil ? "Content-Type:" : "Content-Type: \(request.type)"
        setHeaders(["Expect:", type] + request.headers)
        if request.method != "GET" { setBody(request.body ?? []) }
        CCurl_easy_setopt_string(easy, CURLOPT_CUSTOMREQUEST, request.method)
        CCurl_easy_setopt_receive(
            easy,
            CURLOPT_WRITEFUNCTION,
            { bytes, size, count, context in
                guard let context else { return 0 }
                let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
                handle.received.append(
                    contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
                return size * count
            }
        )
        // Unretained, because callbacks only come from within calls on this object.
        CCurl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Removes and returns what has been received since the last time.
    func takeReceived() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// The status of the current answer; 0 before there is one.
    var status: Int {
        var code = 0
        CCurl_easy_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &code)
        return code
    }

    /// Returns the error for a result of libcurl.
    func error(_ code: CURLcode) -> ClientError {
        switch code {
        case CURLE_COULDNT_CONNECT:
            var number = 0
            CCurl_easy_getinfo_long(easy, CURLINFO_OS_ERRNO, &number)
            return .noConnection(path: socketPath, errno: Int32(truncatingIfNeeded: number))
        case CURLE_OPERATION_TIMEDOUT:
            return .unreachable(
                """
                The daemon at \(socketPath.safeForTerminal) did not answer in time: \
                look at its own log (journalctl -u facefetchd).
                """
            )
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
            var error = ClientError.unreachable(
                """
                The daemon at \(socketPath.safeForTerminal) went away in the middle of its answer: \
                try again in a moment.
                """
            )
            error.wasInterrupted = true
            return error
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2:
            return .unreachable(
                """
                What answers at \(socketPath.safeForTerminal) is not the daemon: \
                name the daemon's socket with --socket.
                """
            )
        default:
            return .unreachable(
                """
                Talking to the daemon at \(socketPath.safeForTerminal) failed \
                (libcurl: \(String(cString: curl_easy_strerror(code)))): look at its own log \
                (journalctl -u facefetchd).
                """
            )
        }
    }

    private func setHeaders(_ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { list = curl_slist_append(list, line) ?? list }
        CCurl_easy_setopt_list(easy, CURLOPT_HTTPHEADER, list)
        curl_slist_free_all(headers)
        headers = list
    }

    /// Sends `body`, which libcurl copies.
    private func setBody(_ body: [UInt8]) {
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
}
