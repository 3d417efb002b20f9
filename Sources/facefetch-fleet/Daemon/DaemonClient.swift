import CCurl
import ControlAPI
import FoundationEssentials

/// A client of the daemon's control socket, over a connection that is kept.
///
/// Not Sendable: it stays with the thread that made it.
final class DaemonClient {
    private let easy: UnsafeMutableRawPointer
    private let socket: String
    private let timeout: Int
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var received: [UInt8] = []
    /// True if the last request had no answer.
    private(set) var isAway = false

    /// Creates a client, which connects with the first request; each has so many seconds.
    ///
    /// - Throws: ``DaemonError``
    init(socket: String, timeout: Int) throws(DaemonError) {
        guard let easy = curl_easy_init() else { throw .unreachable("libcurl has no memory") }
        self.easy = easy
        self.socket = socket
        self.timeout = max(1, timeout)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
    }

    /// Sends a request and decodes the answer.
    ///
    /// - Throws: ``DaemonError``
    func ask<Value: Decodable>(
        _ method: String,
        _ target: String,
        headers: [String] = [],
        body: [UInt8]? = nil,
        for: Value.Type = Value.self
    ) throws(DaemonError) -> Value {
        prepare(method, target, headers: headers, body: body)
        let code = curl_easy_perform(easy)
        isAway = code != CURLE_OK
        guard code == CURLE_OK else {
            throw .unreachable("the daemon can't be reached: \(String(cString: curl_easy_strerror(code)))")
        }
        var status = 0
        CCurl_easy_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &status)
        let data = Data(received)
        received = []
        guard (200..<300).contains(status) else {
            guard let problem = try? JSONDecoder().decode(ProblemJSON.self, from: data) else {
                throw .unreachable("the daemon answered with status \(status) and no explanation")
            }
            throw .refused(problem)
        }
        do { return try JSONDecoder().decode(Value.self, from: data) } catch {
            throw .unreachable("the daemon's answer makes no sense; is it of another version?")
        }
    }

    private func prepare(_ method: String, _ target: String, headers lines: [String], body: [UInt8]?) {
        curl_easy_reset(easy)
        received = []
        CCurl_easy_setopt_string(easy, CURLOPT_UNIX_SOCKET_PATH, socket)
        CCurl_easy_setopt_string(easy, CURLOPT_URL, "http://localhost" + target)
        CCurl_easy_setopt_string(easy, CURLOPT_PROXY, "")
        CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_TIMEOUT, timeout)
        CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, "facefetch-fleet/\(ProductVersion.current)")
        var list: UnsafeMutablePointer<curl_slist>?
        // The daemon says what it doesn't take; waiting for its leave costs a second.
        let type = body == nil ? "Content-Type:" : "Content-Type: application/json"
        for line in ["Expect:", type] + lines { list = curl_slist_append(list, line) ?? list }
        CCurl_easy_setopt_list(easy, CURLOPT_HTTPHEADER, list)
        curl_slist_free_all(headers)
        headers = list
        if method != "GET" {
            let body = body ?? []
            CCurl_easy_setopt_long(easy, CURLOPT_POST, 1)
            CCurl_easy_setopt_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            // Given a null pointer, libcurl would ask a callback for the body.
            if body.isEmpty { CCurl_easy_setopt_string(easy, CURLOPT_COPYPOSTFIELDS, "") }
            body.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
                _ = CCurl_easy_setopt_pointer(
                    easy,
                    CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: start)
                )
            }
        }
        CCurl_easy_setopt_string(easy, CURLOPT_CUSTOMREQUEST, method)
        CCurl_easy_setopt_receive(
            easy,
            CURLOPT_WRITEFUNCTION,
            { bytes, size, count, context in
                guard let context else { return 0 }
                let client = Unmanaged<DaemonClient>.fromOpaque(context).takeUnretainedValue()
                client.received.append(
                    contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
                return size * count
            }
        )
        // Unretained, because callbacks only come from within calls on this object.
        CCurl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(self).toOpaque())
    }
}
