import CCurl
import CLinux
import Glibc
import HTTPRequests

/// Posts requests through libcurl, one at a time, and waits between them.
///
/// It isn't Sendable: only the thread that created it may use it, and its ``PostMailbox`` wakes that thread.
public final class PostSender {
    /// The seconds that a receiver has for a request.
    static let timeout = 10

    private let multi: UnsafeMutableRawPointer
    private let waker: any PostWakeable
    /// The socket that was opened last, whose connection the next request goes over if it is there still; -1 for none.
    private var socket: Int32 = -1

    /// Creates a sender, on the thread that is to send.
    ///
    /// - Throws: ``CurlTransferError`` if libcurl finds no memory, or no descriptor by which to be woken.
    public init<Mail>(_ mailbox: PostMailbox<Mail>) throws(CurlTransferError) {
        guard let multi = MultiHandle.create() else { throw .libcurl(MultiHandle.lack) }
        self.multi = multi
        waker = mailbox
        waker.attach(multi)
    }

    deinit {
        waker.attach(nil)
        curl_multi_cleanup(multi)
    }

    /// Waits for some seconds, or until another thread wakes it.
    public func wait(seconds: Double?) {
        let milliseconds = min((seconds ?? 3600) * 1000, 3_600_000).rounded(.up)
        curl_multi_poll(multi, nil, 0, Int32(max(0, milliseconds)), nil)
    }

    /// Sends a request and returns the answer; nil if the daemon is stopping.
    ///
    /// - Parameter meanwhile: Called each time that the thread is woken while it waits for the answer.
    public func send(_ request: PostRequest, meanwhile: () -> Void = {}) -> PostAnswer? {
        var (answer, isMisled) = send(request, over: socket, meanwhile)
        // What lies there unread would be taken for the answer.
        if isMisled { (answer, _) = send(request, over: nil, meanwhile) }
        return answer
    }

    /// Sends a request once, over the connection of a socket or a new one; tells whether that had something on it already.
    private func send(
        _ request: PostRequest,
        over known: Int32?,
        _ meanwhile: () -> Void
    ) -> (PostAnswer?, isMisled: Bool) {
        guard let handle = EasyHandle() else { return (.failed("the machine has no memory left"), false) }
        let exchange = Exchange(handle, request, known: known)
        exchange.prepare(request)
        curl_multi_add_handle(multi, handle.easy)
        defer {
            // libcurl calls the exchange until then.
            withExtendedLifetime(exchange) { _ = curl_multi_remove_handle(multi, handle.easy) }
            socket = exchange.opened ?? socket
        }
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left) {
                if message.pointee.msg == CURLMSG_DONE {
                    return (exchange.answer(CCurl_message_result(message)), exchange.isMisled)
                }
            }
            guard !waker.isStopped else { return (nil, false) }
            // Until there is something to read or to do, or somebody wakes it, as its end does.
            wait(seconds: nil)
            meanwhile()
        }
    }
}

/// A request and its answer.
private final class Exchange {
    private let handle: EasyHandle
    private let denied: DeniedNetworks
    private let wantedField: String?
    private var wasDenied = false
    /// The socket of the connection that it may go over; nil for a new one.
    private let known: Int32?
    /// The socket that was opened for it; nil where it goes over an earlier connection.
    private(set) var opened: Int32?
    /// True if bytes lay unread on that connection, so that it was given up.
    private(set) var isMisled = false
    /// The bytes of the answer's body so far.
    private var received = 0

    /// The longest field of an answer in bytes.
    private static let longestField = 2000
    /// The bytes of an answer's body that are waited for, after which the connection is closed.
    private static let longestBody = 65_536

    init(_ handle: EasyHandle, _ request: PostRequest, known: Int32?) {
        self.handle = handle
        self.known = known
        denied = DeniedNetworks(request.deniedNetworks)
        wantedField = request.wantedField
    }

    private var easy: UnsafeMutableRawPointer { handle.easy }

    func prepare(_ request: PostRequest) {
        CCurl_easy_setopt_string(easy, CURLOPT_URL, request.url)
        CCurl_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // A redirect could lead into networks that only this machine reaches.
        CCurl_easy_setopt_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        CCurl_easy_setopt_string(easy, CURLOPT_PROXY, "")
        CCurl_easy_setopt_long(easy, CURLOPT_FRESH_CONNECT, known == nil ? 1 : 0)
        CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        // Otherwise, stopping would wait for a lookup that a dead name server never answers.
        CCurl_easy_setopt_long(easy, CURLOPT_QUICK_EXIT, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_TIMEOUT, PostSender.timeout)
        request.certificates.apply(to: easy)
        CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, request.userAgent)
        handle.setBody(request.body)
        // A receiver that is asked whether it wants the body may take its time to say so.
        handle.setHeaders(request.headers + ["Expect:"])
        // This is unretained, since callbacks only come while the request is performed.
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The body of the answer isn't used; a short one is read to its end, so that the connection can be kept.
        handle.receive { [unowned self] piece in
            received += piece.count
            return received <= Self.longestBody
        }
        CCurl_easy_setopt_open_socket(easy) { context, _, address in
            guard let context, let address else { return CURL_SOCKET_BAD }
            return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().open(address)
        }
        CCurl_easy_setopt_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        // A connection may have been made when its address was still allowed.
        CCurl_easy_setopt_before_request(easy) { context, address, _, _, _ in
            guard let context, let address else { return CURL_PREREQFUNC_ABORT }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let mayGo = exchange.mayGo(to: String(cString: address)) && exchange.isClean
            return mayGo ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        CCurl_easy_setopt_pointer(easy, CURLOPT_PREREQDATA, context)
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
        let descriptor = socket(
            target.family,
            target.socktype | Int32(SOCK_CLOEXEC.rawValue),
            target.protocol
        )
        if descriptor >= 0 { opened = descriptor }
        return descriptor
    }

    /// True if nothing has come over the connection that nobody has asked for.
    private var isClean: Bool {
        guard opened == nil, let known else { return true }
        var sight = CLinux_connection()
        isMisled = CLinux_look_at_connection(known, &sight) == 0 && sight.unread > 0
        return !isMisled
    }

    private func mayGo(to address: String) -> Bool {
        if denied.contains(address) { wasDenied = true }
        return !wasDenied
    }

    func answer(_ code: CURLcode) -> PostAnswer {
        let status = handle.status
        if wasDenied, status == 0 {
            return .failed("the receiver is in a network that is denied here (transfer.denied-networks)")
        }
        // Once its body begins, an answer is known; what becomes of the body changes nothing about it.
        guard code == CURLE_OK || received > 0 else {
            return .failed("the receiver can't be reached: " + EasyHandle.words(code))
        }
        return .status(status, retryAfter: retryAfter(), field: wantedField.flatMap(field))
    }

    /// Returns the seconds of Retry-After; more than libcurl can count is as long as can be.
    private func retryAfter() -> Double? {
        var seconds: curl_off_t = 0
        CCurl_easy_getinfo_offset(easy, CURLINFO_RETRY_AFTER, &seconds)
        if seconds > 0 { return Double(seconds) }
        let digits = field("Retry-After")?.utf8.drop { $0 == UInt8(ascii: "0") }
        guard let digits, digits.count > 18, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return .infinity
    }

    /// Returns a field of the answer, with its values joined as RFC 9110 §5.3 has it.
    private func field(_ wantedField: String) -> String? {
        var values: [String] = []
        var index = 0
        var header: UnsafeMutablePointer<curl_header>?
        while index < 10,
            curl_easy_header(easy, wantedField, index, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK,
            let value = header?.pointee.value
        {
            values.append(String(cString: value))
            index += 1
        }
        guard !values.isEmpty else { return nil }
        return String(decoding: values.joined(separator: ",").utf8.prefix(Self.longestField), as: UTF8.self)
    }
}
