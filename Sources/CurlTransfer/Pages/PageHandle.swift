import CCurl
import Glibc
import JobCore

/// An easy handle that fetches a page: it keeps the head, and writes the body while that is small enough.
final class PageHandle: WatchedHandle {
    private var head = PageHeadReader()
    /// Bytes of the body as it was decoded.
    private(set) var length: Int64 = 0
    /// Why the request was given up here.
    private(set) var failure: PageFetchError?
    /// Whether as much was read of an error as anybody wants to know.
    private(set) var isSatisfied = false
    private var maximumLength: Int64 = 0
    private let order: PageOrder
    private var spool: PageSpool

    init?(network: any NetworkWatch, url: JobURL, order: PageOrder, spool: PageSpool) {
        self.order = order
        self.spool = spool
        super.init(network: network, url: url)
    }

    override func refuse(_ failure: JobFailure) { self.failure = .refused(failure) }

    /// Options that hold for all of the page's requests.
    func prepare(_ request: PageRequest, _ configuration: CurlTransferConfiguration) {
        let context = Unmanaged<PageHandle>.passUnretained(self).toOpaque()
        prepareWatch()
        maximumLength = request.maximumLength
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
        if let certificates = configuration.certificateFile {
            _ = CCurl_easy_setopt_string(easy, CURLOPT_CAINFO, certificates)
        }
        if let signature = request.signature {
            setPathAsIs(true)
            setSignature(signature)
        }
    }

    /// Gets ready for one request to the trail's current URL.
    func beginPage(fields sent: [PageRequest.Field]) {
        beginRequest()
        startHead()
        failure = nil
        isSatisfied = false
        setHeaderLines(sent.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" })
    }

    private func startHead() {
        head = PageHeadReader()
        length = 0
        spool.restart()
    }

    /// The status of the answer; 0 until there is one.
    var status: Int { head.status }
    /// The header fields of the answer in their order.
    var fields: [PageRequest.Field] { head.fields }

    /// Takes a line of a head; false gives the request up.
    private func take(line: UnsafeRawBufferPointer) -> Bool {
        guard head.take(line) else {
            failure = .connection(
                JobFailure(
                    .protocolError,
                    "\(place) sent a head of more than \(PageHeadReader.longest) bytes"
                )
            )
            return false
        }
        return true
    }

    /// Writes bytes of the body; false gives the request up.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isPage = status == 200 || status == 203
        length += Int64(bytes.count)
        if !isPage, length > PageRequest.longestErrorBody {
            isSatisfied = true
            return false
        }
        guard length <= maximumLength else {
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
        guard !fields.contains(where: { $0.name.lowercased() == "content-encoding" }) else { return nil }
        return fields.last { $0.name.lowercased() == "content-length" }.flatMap { Int64($0.value) }
    }

    private static let header: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let handle = handle(context) else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return handle.take(line: line) ? line.count : 0
    }

    private static let write: CCurlReceive = { bytes, size, count, context in
        guard let bytes, let handle = handle(context) else { return 0 }
        let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return handle.take(body) ? body.count : 0
    }

    /// libcurl asks about once a second, also while nothing comes.
    private static let progress: CCurlProgress = { context, _, _, _, _ in
        handle(context)?.order.isCancelled == true ? 1 : 0
    }

    private static func handle(_ context: UnsafeMutableRawPointer?) -> PageHandle? {
        context.map { Unmanaged<PageHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}
