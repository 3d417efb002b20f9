import CCurl
import Glibc
import JobModel
import Vocabulary

/// An easy handle of libcurl with the transfer that it currently carries out.
///
/// Slots are kept and used again: making a handle costs more than a small
/// file. Explicitly not Sendable: it lives and dies on the transfer thread.
final class TransferSlot: WatchedHandle {
    /// The number of the loop's configuration that the handle has.
    var generation = 0
    /// The receiver of the callbacks' results, which outlives every slot.
    unowned let owner: any TransferSlotOwner

    private(set) var request: TransferRequest
    /// The URL of the transfer's first request.
    private(set) var home: JobURL
    /// The part that the current request asks for; nil for the whole file.
    var part: RequestedPart?
    /// The slot's present work: a transfer by itself, or that of a crew.
    var work = Work.alone
    var answer = Answer()
    /// The accepted answer's statements about the body.
    var start: TransferStart?
    var file: PartialFile?
    /// The body while it is in memory, instead of in the file.
    var buffer: BodyBuffer?
    /// A body that waits to replace what the partial holds, until the store claims nothing of that.
    var replacement: Replacement?

    var report = Report()
    /// The transfer's own rate limit; libcurl's would let the first buffer through unmeasured.
    var bucket: RateBucket?
    /// The time at which the current request was sent, in milliseconds.
    var requestedAt: Int64 = 0
    /// The number of times that requests of the transfer were sent again, since they were lost with a shared connection.
    var resends = 0
    /// The number of times that the current request was given to libcurl again, since it waited there for nobody.
    var wakes = 0
    /// The number of answers that its host had given when the current request was sent.
    var answersSeen = 0
    /// The rate limit of the host that the current request goes to; nil for none.
    var hostRate: HostRate? {
        didSet {
            oldValue?.users -= 1
            hostRate?.users += 1
        }
    }
    /// True if libcurl has been told to pause.
    var isPaused = false

    init?(owner: any TransferSlotOwner, request: TransferRequest) {
        self.owner = owner
        self.request = request
        home = request.url
        super.init(network: owner, url: request.url)
        prepareHandle()
    }

    var job: JobID { request.job }

    /// The crew that the slot works for; nil for a transfer by itself.
    var crew: SegmentCrew? {
        switch work {
        case .alone: nil
        case .lead(let crew), .stream(let crew, _): crew
        }
    }

    /// The stream that the slot is at the moment; nil for a transfer by itself, and for a lead without a stream.
    var stream: (crew: SegmentCrew, number: Int)? {
        if case .stream(let crew, let number) = work { (crew, number) } else { nil }
    }

    /// The slot that has the partial to which this one's bytes go.
    var holder: TransferSlot { crew?.lead ?? self }

    /// The number of bytes that there are of the file, by whomever they were fetched; nil if no body has begun.
    var countOfAll: Int64? { crew?.count ?? knownLength }

    /// The number of bytes there are of the file, on the disk or in memory; nil if no body has begun.
    var knownLength: Int64? { buffer.map { Int64($0.bytes.count) } ?? file?.length }

    /// The number of bytes there are of the file.
    var length: Int64 { knownLength ?? 0 }

    /// Forgets what is in memory of the body.
    func giveUpBuffer() {
        buffer?.giveUp()
        buffer = nil
    }

    /// The rate limit of the transfer that the slot works for.
    var rate: RateBucket? {
        get { if let crew { crew.bucket } else { bucket } }
        set { if let crew { crew.bucket = newValue } else { bucket = newValue } }
    }

    /// The phase that the current request has reached.
    var phase: CurlOutcome.Phase { answer.reader.head.status != 0 ? .receiving : phaseBeforeHead }

    /// True if an answer to the current request has begun.
    var hasAnswer: Bool { answer.reader.head.status != 0 }

    override func refuse(_ failure: JobFailure) { answer.failure = .refused(failure) }

    /// Prepares the slot for another transfer.
    func reuse(for request: TransferRequest, at url: JobURL, now: Int64) {
        self.request = request
        home = url
        bucket = request.rateLimit.map { RateBucket(rate: $0, now: now) }
        begin(at: url)
        report = Report()
        isPaused = false
        resends = 0
    }

    /// Prepares the handle for a request to the trail's current URL.
    func prepareRequest(_ configuration: CurlTransferConfiguration) {
        let isSecure = trail.current.scheme == "https"
        answer = Answer(reader: HeadReader(isSecure: isSecure))
        beginRequest()
        wakes = 0
        hostRate = owner.hostRate(of: trail.current.host)

        // Waiting for the first connection shows whether HTTP/2 can carry the other requests too; plain
        // http never does, and would only lose time.
        _ = CCurl_easy_setopt_long(easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        setHeaders()
        if request.isObject { setPathAsIs(trail.isAtHome) }
        if let age = owner.networksAge { avoidConnections(olderThan: age) }
        // A transfer limited by us is not stalled, so the speed limit is at most a quarter of its own
        // rate, shared by its streams, and a fraction of the total rate.
        let shares = Int64(4 * max(configuration.segments, 1))
        let total = [configuration.totalRateLimit, configuration.lowestRateLimit].compactMap(\.self).min()
        let allowed = [
            request.rateLimit.map { $0 / shares }, total.map { $0 / 256 },
            hostRate?.bucket.map { $0.rate / 256 },
        ]
        let floor = allowed.compactMap { $0.map { max(Int($0), 1) } }.min() ?? Int.max
        _ = CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_LIMIT, min(configuration.lowSpeedLimit, floor))
    }

    /// Avoids connections older than this many milliseconds: they may lead to a network that has been
    /// denied since, and the addresses of existing connections aren't checked again.
    private func avoidConnections(olderThan age: Int64) {
        // libcurl counts in whole seconds, and takes 0 for no limit.
        let seconds = Int(age / 1000) - 1
        _ = CCurl_easy_setopt_long(easy, CURLOPT_FRESH_CONNECT, seconds < 1 ? 1 : 0)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_MAXLIFETIME_CONN, max(seconds, 0))
    }

    /// Applies the settings that all transfers share.
    func apply(_ configuration: CurlTransferConfiguration) {
        _ = CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
        let connectTimeout = max(Int(configuration.connectTimeout * 1000), 1)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_TIME, configuration.lowSpeedTime)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_BUFFERSIZE, configuration.receiveBufferSize)
        configuration.certificates.apply(to: easy)
    }

    /// Ends the transfer, closing the partial, so that the slot can be reused.
    func release() {
        file = nil
        start = nil
        giveUpBuffer()
        // A head may be long, and there may be many idle slots.
        answer = Answer()
        replacement = nil
        work = .alone
        part = nil
        hostRate = nil
        forgetCookies()
        // A URL's credentials leave traces in a handle's authentication state.
        if request.url.text.utf8.contains(UInt8(ascii: "@")) || !request.headers.isEmpty
            || request.signature != nil
            || request.isObject
        {
            resetOptions()
            prepareHandle()
        }
    }

    /// Sets the options that never change.
    private func prepareHandle() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_PRIVATE, context)
        _ = CCurl_easy_setopt_receive(easy, CURLOPT_HEADERFUNCTION, TransferCallbacks.header)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_HEADERDATA, context)
        _ = CCurl_easy_setopt_receive(easy, CURLOPT_WRITEFUNCTION, TransferCallbacks.write)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, context)
        prepareWatch()
        // Asks for the file as it is; what a server compresses all the same is undone here.
        _ = CCurl_easy_setopt_string(easy, CURLOPT_ACCEPT_ENCODING, "identity")
        // libcurl would take a body whose coding breaks off for a whole one.
        _ = CCurl_easy_setopt_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        apply(owner.configuration)
    }

    private func setHeaders() {
        var lines: [String] = []
        if let part {
            // Not CURLOPT_RESUME_FROM, with which libcurl would judge the answer.
            lines.append("Range: \(part.headerValue)")
            lines.append("If-Range: \(part.point.validator.headerValue)")
        }
        let own = trail.isAtHome ? request.headers : []
        lines += own.filter { !$0.isCookie }.map(\.line)
        if trail.isAtHome, let signature = request.signature {
            lines += signingFields(signature, with: request.headers.map { ($0.name, $0.value) })
                .map { "\($0.name): \($0.value)" }
        }
        let credentials = credentials(owner.configuration)
        if let fields = credentials?.fields { lines += Self.lines(of: fields, besides: lines) }
        if !Self.has("accept", in: lines) {
            lines.append("Accept: \(owner.configuration.policy.acceptField)")
        }
        setHeaderLines(lines)
        setCookies(own.first(where: \.isCookie)?.value, credentials)
    }
}
