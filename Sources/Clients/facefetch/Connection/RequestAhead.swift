import CCurl

/// A request that is sent before its answer is needed: while the daemon works on that, this does something else.
///
/// Not Sendable: it stays with the thread that made it.
final class RequestAhead {
    private let handle: CurlHandle
    private let multi: UnsafeMutableRawPointer
    private var isUnderWay = false

    /// The seconds that the daemon has for an answer, from the moment when it is needed.
    private static let timeout = 60
    /// The longest wait in milliseconds until a request is sent, while the daemon accepts no connection.
    private static let patience: Int32 = 100

    /// Creates a connection of its own to the socket, which the first request makes.
    ///
    /// - Throws: ``ClientError`` if libcurl has no memory.
    init(socketPath: String) throws(ClientError) {
        handle = try CurlHandle(socketPath: socketPath)
        guard let multi = curl_multi_init() else {
            throw .unsuccessful("libcurl could not be started: there is not enough memory.")
        }
        self.multi = multi
    }

    deinit {
        cancel()
        curl_multi_cleanup(multi)
    }

    /// Sends a request; one that is under way is given up.
    func begin(_ request: HTTPRequest) {
        cancel()
        // What this does meanwhile may take longer than any time limit.
        handle.prepare(request, timeout: 0)
        isUnderWay = curl_multi_add_handle(multi, handle.easy) == CURLM_OK
        var running: Int32 = 1
        // More than one step is needed where the connection isn't there at once.
        for _ in 0..<4 {
            curl_multi_perform(multi, &running)
            var sent = 0
            CCurl_easy_getinfo_long(handle.easy, CURLINFO_REQUEST_SIZE, &sent)
            guard running > 0, sent == 0 else { return }
            curl_multi_poll(multi, nil, 0, Self.patience, nil)
        }
    }

    /// Waits for the answer; nil if there is none, and the request has to be sent again.
    ///
    /// A daemon needn't wait for as long as this was busy, and may have ended the connection.
    func finish() -> HTTPResponse? {
        guard isUnderWay else { return nil }
        defer { cancel() }
        let deadline = ContinuousClock.now + .seconds(Self.timeout)
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if running == 0 { return isComplete ? response : nil }
            guard .now < deadline else { return nil }
            curl_multi_poll(multi, nil, 0, 1000, nil)
        }
    }

    private var response: HTTPResponse { HTTPResponse(status: handle.status, body: handle.takeReceived()) }

    private var isComplete: Bool {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result == CURLE_OK }
        }
        return false
    }

    private func cancel() {
        guard isUnderWay else { return }
        isUnderWay = false
        curl_multi_remove_handle(multi, handle.easy)
    }
}
