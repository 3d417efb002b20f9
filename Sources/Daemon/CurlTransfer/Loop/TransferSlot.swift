import CCurl
import Glibc
import JobModel
import Vocabulary

/// A place for the requests of a transfer, one after the other: those of the whole, or of one stream of it.
///
/// Explicitly not Sendable: it lives and dies on the transfer thread, with its transfer or stream.
final class TransferSlot: WatchedHandle {
    /// The receiver of the callbacks' results, which outlives every slot.
    unowned let owner: any TransferSlotOwner

    /// The transfer that the slot works for.
    let transfer: Transfer
    /// The stream whose request it is; nil for the request of a transfer by itself.
    var stream: Stream?
    /// The part that the current request asks for; nil for the whole file.
    var part: RequestedPart?
    var sending = Sending()
    var answer = Answer()
    /// The rate limit of the host that the current request goes to; nil for none.
    var hostRate: HostRate? {
        didSet {
            oldValue?.users -= 1
            hostRate?.users += 1
        }
    }
    /// The connection that the current request goes over, one after others; nil where libcurl chooses.
    var leg: ConnectionRelay.Leg? {
        didSet { oldValue.map { $0.relay.leave($0) } }
    }
    /// True if the current request has made its host's next connection.
    var hasOpened = false
    /// True while libcurl has the current request.
    var isInLibcurl = false
    /// True if libcurl has been told to pause.
    var isPaused = false

    init?(owner: any TransferSlotOwner, transfer: Transfer) {
        self.owner = owner
        self.transfer = transfer
        super.init(network: owner, url: transfer.home)
    }

    var request: TransferRequest { transfer.request }
    var job: JobID { transfer.job }

    /// The phase that the current request has reached.
    var phase: CurlOutcome.Phase { answer.reader.head.status != 0 ? .receiving : phaseBeforeHead }

    /// True if an answer to the current request has begun.
    var hasAnswer: Bool { answer.reader.head.status != 0 }

    /// True if that answer shares its connection with others (HTTP/2).
    var isAnsweredByHTTP2: Bool { information(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0) }

    override func connectionIsThere() -> Bool {
        guard owner.isClean(self) else {
            answer.isMisled = true
            return false
        }
        guard owner.isFree(self) else { return false }
        guard let leg else { return true }
        hasOpened = leg.relay.opens(leg)
        leg.relay.reached(leg)
        return true
    }

    /// True if nothing else may go over the request's connection: what waits by a rate of its own would keep that waiting.
    var isApart: Bool { request.rateLimit != nil && trail.current.scheme == "https" }

    override func refuse(_ failure: JobFailure) { answer.failure = .refused(failure) }

    /// Prepares a handle for a request to the trail's current URL; returns false when libcurl has no memory for it.
    func prepareRequest(_ configuration: CurlTransferConfiguration) -> Bool {
        let isSecure = trail.current.scheme == "https"
        answer = Answer(reader: HeadReader(isSecure: isSecure))
        guard beginRequest() else { return false }
        sending.wakes = 0
        hasOpened = false
        hostRate = owner.hostRate(of: trail.current.host)

        // Waiting for the first connection shows whether HTTP/2 can carry the other requests too; plain
        // http never does, and would only lose time.
        _ = CCurl_easy_setopt_long(easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        let use = owner.useOfConnections(to: trail.hostKey)
        let version = use == .once ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
        _ = CCurl_easy_setopt_long(easy, CURLOPT_HTTP_VERSION, Int(version))
        if let sessions = owner.sessions(of: isSecure ? trail.hostKey : nil) { resume(sessions) }
        chooseConnection()
        setHeaders()
        if request.isObject { setPathAsIs(trail.isAtHome) }
        avoidConnections(olderThan: owner.networksAge, use)
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
        return true
    }

    /// Avoids connections older than this many milliseconds, if any: they may lead to a network that has been
    /// denied since, and the addresses of existing connections aren't checked again.
    ///
    /// Avoids all of them for a request that was lost with them time and again, and at hosts whose connections can't be
    /// used twice.
    private func avoidConnections(olderThan age: Int64?, _ use: ConnectionUse) {
        // libcurl counts in whole seconds, and takes 0 for no limit.
        let seconds = age.map { Int($0 / 1000) - 1 }
        var use = isApart ? .once : use
        // A stray answer to a segment would have to show its bounds and the file's version. One to what is to go on from
        // a partial needn't: it is taken for the whole file, which has changed.
        if use == .new, stream != nil { use = .any }
        _ = CCurl_easy_setopt_long(easy, CURLOPT_FORBID_REUSE, use == .once ? 1 : 0)
        let areAvoided = sending.needsNewConnection || use != .any || seconds.map { $0 < 1 } == true
        _ = CCurl_easy_setopt_long(easy, CURLOPT_FRESH_CONNECT, areAvoided ? 1 : 0)
        if let seconds { _ = CCurl_easy_setopt_long(easy, CURLOPT_MAXLIFETIME_CONN, max(seconds, 0)) }
    }

    /// Applies the settings that all transfers share.
    private func apply(_ configuration: CurlTransferConfiguration) {
        _ = CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
        let connectTimeout = max(Int(configuration.connectTimeout * 1000), 1)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_TIME, configuration.lowSpeedTime)
        _ = CCurl_easy_setopt_long(easy, CURLOPT_BUFFERSIZE, configuration.receiveBufferSize)
        configuration.certificates.apply(to: easy)
    }

    /// Ends the slot's work for its transfer.
    func release() {
        stream = nil
        part = nil
        hostRate = nil
        leg = nil
        forgetConnection()
    }

    override func prepareHandle() {
        super.prepareHandle()
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_PRIVATE, context)
        _ = CCurl_easy_setopt_receive(easy, CURLOPT_HEADERFUNCTION, TransferCallbacks.header)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_HEADERDATA, context)
        _ = CCurl_easy_setopt_receive(easy, CURLOPT_WRITEFUNCTION, TransferCallbacks.write)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, context)
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
