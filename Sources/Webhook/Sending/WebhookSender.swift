import CCurl
import CurlTransfer
import Glibc

/// Sends requests through libcurl, one at a time, and waits between them.
///
/// It isn't Sendable: only the thread that created it may use it, and ``WebhookWaker`` wakes that thread.
final class WebhookSender {
    /// The seconds that a receiver has for a request.
    static let timeout = 10

    private let multi: UnsafeMutableRawPointer
    private let waker: WebhookWaker

    /// Creates a sender; nil if libcurl has no memory.
    init?(_ waker: WebhookWaker) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.waker = waker
        waker.attach(multi)
    }

    deinit {
        waker.attach(nil)
        curl_multi_cleanup(multi)
    }

    /// Waits for some seconds, or until another thread wakes it.
    func wait(seconds: Double?) {
        let milliseconds = min((seconds ?? 3600) * 1000, 3_600_000).rounded(.up)
        curl_multi_poll(multi, nil, 0, Int32(max(0, milliseconds)), nil)
    }

    /// Sends a request and returns the answer; nil if the daemon is stopping.
    func send(
        _ request: WebhookRequest,
        by configuration: WebhookConfiguration
    ) -> WebhookMachine.Answer? {
        guard let easy = curl_easy_init() else {
            return .failed("libcurl has no memory", retryAfter: nil)
        }
        let exchange = Exchange(easy, configuration.deniedNetworks)
        defer { exchange.end() }
        exchange.prepare(request, by: configuration)
        curl_multi_add_handle(multi, easy)
        defer { curl_multi_remove_handle(multi, easy) }
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left) {
                if message.pointee.msg == CURLMSG_DONE {
                    return exchange.answer(CCurl_message_result(message))
                }
            }
            guard !waker.isStopped else { return nil }
            curl_multi_poll(multi, nil, 0, 1000, nil)
        }
    }
}

/// A request and its answer.
private final class Exchange {
    private let easy: UnsafeMutableRawPointer
    private let denied: DeniedNetworks
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var wasDenied = false

    init(_ easy: UnsafeMutableRawPointer, _ networks: [NetworkRange]) {
        self.easy = easy
        denied = DeniedNetworks(networks)
    }

    func end() {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
    }

    func prepare(_ request: WebhookRequest, by configuration: WebhookConfiguration) {
        CCurl_easy_setopt_string(easy, CURLOPT_URL, configuration.url)
        CCurl_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // A redirect could lead into networks that only this machine reaches.
        CCurl_easy_setopt_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        CCurl_easy_setopt_string(easy, CURLOPT_PROXY, "")
        CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        // Otherwise, stopping would wait for a lookup that a dead name server never answers.
        CCurl_easy_setopt_long(easy, CURLOPT_QUICK_EXIT, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_TIMEOUT, WebhookSender.timeout)
        CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
        CCurl_easy_setopt_long(easy, CURLOPT_POST, 1)
        CCurl_easy_setopt_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
        request.body.withUnsafeBytes { bytes in
            _ = CCurl_easy_setopt_pointer(
                easy,
                CURLOPT_COPYPOSTFIELDS,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            )
        }
        for line in Self.headers(request, by: configuration, now: Int64(time(nil))) {
            headers = curl_slist_append(headers, line) ?? headers
        }
        CCurl_easy_setopt_list(easy, CURLOPT_HTTPHEADER, headers)
        // The body of the answer isn't used.
        CCurl_easy_setopt_receive(easy, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
        // This is unretained, since callbacks only come while the request is performed.
        let context = Unmanaged.passUnretained(self).toOpaque()
        CCurl_easy_setopt_open_socket(easy) { context, _, address in
            guard let context, let address else { return CURL_SOCKET_BAD }
            return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().open(address)
        }
        CCurl_easy_setopt_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
    }

    private static func headers(
        _ request: WebhookRequest,
        by configuration: WebhookConfiguration,
        now: Int64
    ) -> [String] {
        var lines = [
            "Content-Type: " + CloudEvent.batchType, "Expect:", "webhook-id: \(request.id)",
            "webhook-timestamp: \(now)",
        ]
        if !configuration.secrets.isEmpty {
            let signatures = configuration.secrets.map {
                $0.signature(id: request.id, timestamp: now, body: request.body)
            }
            lines.append("webhook-signature: " + signatures.joined(separator: " "))
        }
        return lines
    }

    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let target = address.pointee
        let isDenied = withUnsafePointer(to: &address.pointee.addr) {
            denied.contains(UnsafeRawPointer($0), length: Int(target.addrlen))
        }
        guard !isDenied else {
            wasDenied = true
            return CURL_SOCKET_BAD
        }
        return socket(target.family, target.socktype | Int32(SOCK_CLOEXEC.rawValue), target.protocol)
    }

    func answer(_ code: CURLcode) -> WebhookMachine.Answer {
        var status = 0
        CCurl_easy_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &status)
        if wasDenied, status == 0 {
            return .failed(
                "the receiver is in a network that is denied here (transfer.denied-networks)",
                retryAfter: nil
            )
        }
        guard code == CURLE_OK else {
            return .failed(
                "the receiver can't be reached: " + String(cString: curl_easy_strerror(code)),
                retryAfter: nil
            )
        }
        switch status {
        case 200..<300: return .taken
        case 410: return .gone
        default:
            var seconds: curl_off_t = 0
            CCurl_easy_getinfo_offset(easy, CURLINFO_RETRY_AFTER, &seconds)
            return .failed(
                "the receiver answered with status \(status)",
                retryAfter: seconds > 0 ? Double(seconds) : nil
            )
        }
    }
}
