import CCurl
import Glibc

/// A long answer that is read as it arrives, together with waiting for other things: signals, keys, a
/// moment to redraw.
///
/// Not Sendable: it stays with the thread that made it.
final class StreamConnection {
    /// The result of waiting.
    enum Step {
        /// Some bytes of the answer.
        case bytes([UInt8])
        /// One of the descriptors can be read.
        case woken
        /// Nothing has happened within the time limit.
        case quiet
        /// The answer has ended; if its status isn't success, this is all of it.
        case ended(HTTPResponse)
    }

    private let handle: CurlHandle
    private let multi: UnsafeMutableRawPointer

    /// Prepares a request, which ``next(timeout:descriptors:)`` carries out.
    ///
    /// - Throws: ``ClientError`` if libcurl has no memory.
    init(socketPath: String, request: HTTPRequest) throws(ClientError) {
        handle = try CurlHandle(socketPath: socketPath)
        guard let multi = curl_multi_init() else {
            throw .unsuccessful("libcurl could not be started: there is not enough memory.")
        }
        self.multi = multi
        handle.prepare(request, timeout: 0)
        // The daemon sends a comment every 15 s; without one for a minute, the connection is dead.
        CCurl_easy_setopt_long(handle.easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        CCurl_easy_setopt_long(handle.easy, CURLOPT_LOW_SPEED_TIME, 60)
        curl_multi_add_handle(multi, handle.easy)
    }

    deinit {
        curl_multi_remove_handle(multi, handle.easy)
        curl_multi_cleanup(multi)
    }

    /// True if the daemon has begun to answer with success.
    var isOpen: Bool { (200..<300).contains(handle.status) }

    /// Waits for the next step.
    ///
    /// - Parameters:
    ///   - timeout: The time limit in milliseconds.
    ///   - descriptors: Further descriptors to wait for.
    /// - Throws: ``ClientError`` if the connection can't be made, or breaks.
    func next(timeout: Int32, descriptors: [Int32]) throws(ClientError) -> Step {
        let deadline = ContinuousClock.now + .milliseconds(Int(timeout))
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if isOpen || handle.status == 0 {
                let bytes = handle.takeReceived()
                if !bytes.isEmpty { return .bytes(bytes) }
            }
            if running == 0 { return try end() }
            // libcurl also wakes up for its own timers, and for bytes that aren't part of the body.
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return .quiet }
            var others = descriptors.map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
            curl_multi_poll(multi, &others, UInt32(others.count), Int32(left.rounded(.up)), nil)
            if others.contains(where: { $0.revents != 0 }) { return .woken }
        }
    }

    private func end() throws(ClientError) -> Step {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = message.pointee.data.result
            guard code == CURLE_OK else { throw handle.error(code) }
        }
        return .ended(HTTPResponse(status: handle.status, body: handle.takeReceived()))
    }
}

/// The daemon's answer.
struct HTTPResponse: Hashable, Sendable {
    /// The status code.
    var status: Int
    /// The complete body.
    var body: [UInt8]

    /// True if the status is 200 to 299.
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns whether a status says that the daemon could not answer, whatever it was asked
    /// (RFC 9110 §15.6).
    static func isServerError(_ status: Int) -> Bool { (500..<600).contains(status) }
}
