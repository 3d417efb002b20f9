import CCurl
import ControlAPI
import HTTPRequests

/// An easy handle of libcurl that speaks HTTP to the control socket.
///
/// Not Sendable: it stays with the thread that made it.
final class CurlHandle {
    private let handle: EasyHandle
    /// The path of the socket.
    let socketPath: String
    /// The part of the body received and not yet taken.
    private(set) var received: [UInt8] = []

    /// The most bytes in one read from the socket (CURLOPT_BUFFERSIZE, which allows no more in libcurl 7.88).
    private static let bufferSize = 512 << 10

    /// Creates a handle for the socket at `socketPath` without connecting.
    ///
    /// - Throws: ``ClientError`` if libcurl has no memory.
    init(socketPath: String) throws(ClientError) {
        guard let handle = EasyHandle() else {
            throw .unsuccessful("libcurl could not be started: there is not enough memory.")
        }
        self.handle = handle
        self.socketPath = socketPath
    }

    /// libcurl's own handle.
    var easy: UnsafeMutableRawPointer { handle.easy }

    /// Prepares the handle for a request, keeping its connection.
    ///
    /// - Parameter timeout: The time limit in seconds for the whole request; 0 for none.
    func prepare(_ request: HTTPRequest, timeout: Int) {
        received = []
        handle.prepare(
            request.method,
            request.target,
            at: socketPath,
            headers: request.headers,
            body: request.body,
            type: request.type,
            timeout: timeout,
            agent: "facefetch/\(ProductVersion.current)"
        )
        CCurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT, 10)
        // A page of jobs has a megabyte, and the default is 16 KiB a read.
        CCurl_easy_setopt_long(easy, CURLOPT_BUFFERSIZE, Self.bufferSize)
        handle.receive { [unowned self] piece in
            received.append(contentsOf: piece)
            return true
        }
    }

    /// Removes and returns what has been received since the last time.
    func takeReceived() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// Performs the request, and waits a second where the socket has no room for another client.
    func performPatiently() -> CURLcode { handle.performPatiently() }

    /// The status of the current answer; 0 before there is one.
    var status: Int { handle.status }

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
                (libcurl: \(EasyHandle.words(code))): look at its own log \
                (journalctl -u facefetchd).
                """
            )
        }
    }
}
