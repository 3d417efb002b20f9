import CCurl
import Glibc
import JobCore
import JobModel
import Vocabulary

/// An easy handle that fetches a page: it keeps the head, and writes the body while that is small enough.
final class PageHandle: WatchedHandle {
    private var head = PageHeadReader()
    /// Bytes of the body as it was decoded.
    private(set) var length: Int64 = 0
    /// The failure for which the request was given up here.
    private(set) var failure: PageFetchError?
    /// True if as much was read of an error as anybody wants to know.
    private(set) var isSatisfied = false
    private let request: PageRequest
    private let configuration: CurlTransferConfiguration
    private var wantsHeadOnly: Bool { request.wantsHeadOnly }
    /// The decoder of the body; nil for a body that comes as it is, or hasn't begun.
    private var decoder: BodyDecoder?
    private var hasBody = false
    private let order: PageOrder
    private var spool: PageSpool

    init?(
        network: any NetworkWatch,
        url: JobURL,
        request: PageRequest,
        configuration: CurlTransferConfiguration,
        order: PageOrder,
        spool: PageSpool
    ) {
        self.request = request
        self.configuration = configuration
        self.order = order
        self.spool = spool
        super.init(network: network, url: url)
    }

    override func refuse(_ failure: JobFailure) { self.failure = .refused(failure) }

    override func prepareHandle() {
        super.prepareHandle()
        let context = Unmanaged<PageHandle>.passUnretained(self).toOpaque()
        _ = CCurl_easy_setopt_receive(easy, CURLOPT_HEADERFUNCTION, Self.header)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_HEADERDATA, context)
        _ = CCurl_easy_setopt_receive(easy, CURLOPT_WRITEFUNCTION, Self.write)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, context)
        _ = CCurl_easy_setopt_progress(easy, Self.progress)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_XFERINFODATA, context)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_NOPROGRESS, 0)
        _ = CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
        let connectTimeout = max(Int(configuration.connectTimeout * 1000), 1)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_LIMIT, configuration.lowSpeedLimit)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_TIME, configuration.lowSpeedTime)
        if let limit = request.timeLimit {
            _ = CCurl_easy_setopt_long(easy, CURLOPT_TIMEOUT_MS, max(Int(limit * 1000), 1))
        }
        _ = CCurl_easy_setopt_string(
            easy,
            CURLOPT_ACCEPT_ENCODING,
            request.mayBeCompressed ? "gzip, deflate" : "identity"
        )
        // A body that breaks off would pass for a whole one.
        _ = CCurl_easy_setopt_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        configuration.certificates.apply(to: easy)
        if request.signature != nil || request.isObject { setPathAsIs(true) }
    }

    /// Gets ready for one request to the trail's current URL.
    ///
    /// Returns false when libcurl has no memory for it.
    ///
    /// - Parameter body: the body to be posted; nil for GET.
    func beginPage(fields sent: [PageRequest.Field], body: String? = nil) -> Bool {
        guard beginRequest() else { return false }
        startHead()
        failure = nil
        isSatisfied = false
        let cookies = sent.filter { $0.name.lowercased() == "cookie" }.map(\.value)
        var lines = sent.filter { $0.name.lowercased() != "cookie" }
            .map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if let signature = request.signature {
            lines += signingFields(signature, with: sent.map { ($0.name, $0.value) })
                .map { "\($0.name): \($0.value)" }
        }
        let credentials = credentials(configuration)
        if let fields = credentials?.fields { lines += Self.lines(of: fields, besides: lines) }
        if let body {
            // An answer to the head alone would be waited for otherwise.
            lines.append("Expect:")
            if !Self.has("content-type", in: lines) { lines.append("Content-Type: application/json") }
            _ = CCurl_easy_setopt_string(easy, CURLOPT_COPYPOSTFIELDS, body)
        }
        setHeaderLines(lines)
        setCookies(cookies.isEmpty ? nil : cookies.joined(separator: "; "), credentials)
        return true
    }

    private func startHead() {
        head = PageHeadReader()
        length = 0
        (decoder, hasBody) = (nil, false)
        spool.restart()
    }

    /// The status of the answer; 0 until there is one.
    var status: Int { head.status }
    /// The header fields of the answer in their order.
    var fields: [PageRequest.Field] { head.fields }

    /// Parses a line of a head; false gives the request up.
    private func parse(line: UnsafeRawBufferPointer) -> Bool {
        guard head.parse(line) else {
            let words = "\(place) sent an answer that makes no sense: \(head.violation ?? "")"
            failure = .connection(JobFailure(.protocolError, words))
            return false
        }
        return true
    }

    /// The defect at the end of a page that libcurl takes for complete; nil if there is none.
    var defect: PageFetchError? {
        guard isPage, !wantsHeadOnly, decoder?.isWhole == false else { return nil }
        return .connection(JobFailure(.incompleteCoding, "\(place) sent a compressed page that breaks off"))
    }

    private var isPage: Bool { status == 200 || status == 203 }

    /// Decodes and writes bytes of the body; false gives the request up.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if wantsHeadOnly {
            isSatisfied = true
            return false
        }
        if !hasBody {
            hasBody = true
            guard beginBody() else { return false }
        }
        guard let decoder else { return write(bytes) }
        switch decoder.decode(bytes, { write($0) }) {
        case .taken: return true
        // Nothing pauses a page.
        case .paused, .stopped: return false
        case .damaged:
            failure = .connection(
                JobFailure(.protocolError, "\(place) sent a compressed page that can't be decompressed")
            )
            return false
        }
    }

    /// Finds out how the body is coded; false for a page in a coding that can't be undone.
    private func beginBody() -> Bool {
        var head = ResponseHead(status: status)
        head.contentEncoding = field("content-encoding")
        head.transferEncoding = field("transfer-encoding")
        guard !head.isIdentity else { return true }
        if head.codings.count == 1, let decoder = BodyDecoder(head.codings) {
            self.decoder = decoder
            return true
        }
        // An error's body is only shown.
        guard isPage else { return true }
        let words = "\(place) sent the page with \(head.codingFields), which can't be decoded"
        failure = .connection(JobFailure(.protocolError, words))
        return false
    }

    /// The values of all fields with a name as a list; nil where there are none.
    private func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Writes decoded bytes of the body; false gives the request up.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        length += Int64(bytes.count)
        if !isPage, length > PageRequest.longestErrorBody {
            isSatisfied = true
            return false
        }
        guard length <= request.maximumLength else {
            failure = .tooLarge
            return false
        }
        if let failure = spool.write(bytes, announced: announcedLength) {
            self.failure = .storage(failure)
            return false
        }
        return true
    }

    /// The length of the body as it is stored; nil if the head doesn't say.
    private var announcedLength: Int64? {
        guard field("content-encoding") == nil, field("transfer-encoding") == nil else { return nil }
        return fields.last { $0.name.lowercased() == "content-length" }.flatMap { Int64($0.value) }
    }

    private static let header: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let handle = handle(context) else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return handle.parse(line: line) ? line.count : 0
    }

    private static let write: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let handle = handle(context) else { return 0 }
        let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return handle.receive(body) ? body.count : 0
    }

    /// libcurl asks about once a second, also while nothing comes.
    private static let progress: CCurlProgress = { context, _, _, _, _ in
        handle(context)?.order.isCancelled == true ? 1 : 0
    }

    private static func handle(_ context: UnsafeMutableRawPointer?) -> PageHandle? {
        context.map { Unmanaged<PageHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}
