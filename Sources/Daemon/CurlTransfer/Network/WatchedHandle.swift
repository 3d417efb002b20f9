import CCurl
import Glibc
import HTTPRequests
import JobModel
import Vocabulary

/// The source of the rules that say, at any moment, which addresses may be connected to.
protocol NetworkWatch: AnyObject {
    /// The rules as they are now.
    var addressRules: AddressRules { get }
    /// True if requests go through a proxy, whose address says nothing of where they go.
    var usesProxy: Bool { get }
    /// The highest number that a socket may have.
    var ceiling: DescriptorCeiling { get }
}

/// Requests that look at every address before anything is sent there, and follow redirects themselves, one after the
/// other.
///
/// Each request has an easy handle of its own. libcurl keeps more in a handle than an application can see: what a paused
/// transfer had been given on a shared connection became the beginning of the handle's next one (7.88). A new handle
/// takes two microseconds. Explicitly not Sendable: one thread at a time uses it.
class WatchedHandle {
    private var handle: EasyHandle
    /// True once the handle has been given a request.
    private var isUsed = false
    /// The rules about addresses; outlives the handle.
    private unowned let network: any NetworkWatch
    /// The URLs that requests have gone to.
    var trail: RedirectTrail
    /// The reason for which an address was refused for the current request, and whether another was allowed.
    private(set) var refusedAddress: AddressRules.Refusal?
    private(set) var allowedAddress = false
    /// The errno of the failure to get a socket for the current request, or to look its host up; 0 where
    /// there was none.
    private(set) var socketError: Int32 = 0
    /// The sockets that were opened for the current request, and the connection that it has gone out on; none so far.
    ///
    /// What goes out on a connection without having opened a socket goes on over that of an earlier request.
    private(set) var openedSockets: [Int32] = []
    private(set) var connection: ConnectionEnds?
    /// True from when the current request was given to libcurl until a look-up, a connection or the request itself begins.
    private(set) var waitsInLibcurl = false
    /// The first of the trail's URLs whose server is public, which redirects are judged by; none so far
    /// where all of them were private.
    var publicHop: Int?

    /// The hosts for which libcurl has the settings' cookies.
    var hostsWithCookies: Set<String> = []
    /// libcurl's cookies at the last redirect.
    var cookiesBefore: [String] = []

    private let errorWords: UnsafeMutablePointer<CChar>

    /// Nil when libcurl has no memory for it.
    init?(network: any NetworkWatch, url: JobURL) {
        guard let handle = EasyHandle() else { return nil }
        self.handle = handle
        self.network = network
        trail = RedirectTrail(from: url)
        errorWords = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorWords.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        letGoOfWords()
        errorWords.deallocate()
    }

    /// libcurl's handle of the current request.
    var easy: UnsafeMutableRawPointer { handle.easy }

    /// libcurl writes into the words for as long as it has them.
    private func letGoOfWords() { CCurl_easy_setopt_pointer(easy, CURLOPT_ERRORBUFFER, nil) }

    /// Gets a handle for the next request, with the trail's cookies; returns false when libcurl has no memory for one.
    private func renewHandle() -> Bool {
        if isUsed {
            guard let fresh = EasyHandle() else { return false }
            let cookies = cookieLines
            letGoOfWords()
            handle = fresh
            prepareHandle()
            take(cookies)
        } else {
            prepareHandle()
        }
        isUsed = true
        return true
    }

    /// Notes that the current request may not go to its address.
    func refuse(_ failure: JobFailure) {}

    /// Notes that the current request is about to go out on a connection; returns whether it may.
    func connectionIsThere() -> Bool { true }

    /// Notes that no request is under way any more.
    func forgetConnection() { connection = nil }

    /// libcurl's own words about what went wrong; empty where it has none.
    var detail: String { String(cString: errorWords) }

    /// Host and port, as people know them.
    var place: String {
        let url = trail.current
        let host = url.host.contains(":") ? "[\(url.host)]" : url.host
        return url.port == (url.scheme == "https" ? 443 : 80) ? host : "\(host):\(url.port)"
    }

    /// The phase of a request that has had no answer yet.
    var phaseBeforeHead: CurlOutcome.Phase {
        var microseconds: curl_off_t = 0
        _ = CCurl_easy_getinfo_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
        return microseconds > 0 ? .waitingForAnswer : .connecting
    }

    /// Gets a handle ready for one request to the trail's current URL; returns false when libcurl has no memory for it.
    func beginRequest() -> Bool {
        guard renewHandle() else { return false }
        refusedAddress = nil
        allowedAddress = false
        socketError = 0
        errorWords[0] = 0
        waitsInLibcurl = true
        openedSockets = []
        forgetConnection()
        _ = CCurl_easy_setopt_string(easy, CURLOPT_URL, trail.current.text)
        return true
    }

    /// Sets the options that all requests have in common.
    func prepareHandle() {
        let context = Unmanaged<WatchedHandle>.passUnretained(self).toOpaque()
        _ = CCurl_easy_setopt_open_socket(easy, Self.openSocket)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        _ = CCurl_easy_setopt_resolver_start(easy, Self.beginLookup)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_RESOLVER_START_DATA, context)
        _ = CCurl_easy_setopt_before_request(easy, Self.beforeRequest)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_PREREQDATA, context)
        _ = CCurl_easy_setopt_pointer(easy, CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorWords))
        _ = CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        // Without it, stopping waits for a lookup that a dead name server never answers.
        _ = CCurl_easy_setopt_long(easy, CURLOPT_QUICK_EXIT, 1)
        _ = CCurl_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = CCurl_easy_setopt_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        prepareCookies()
    }

    /// The fields that the current request sends besides libcurl's own.
    func setHeaderLines(_ lines: [String]) { handle.setHeaders(lines) }

    /// Has the current request's connection go on from a TLS session of its host.
    func resume(_ sessions: TLSSessions) { handle.resume(sessions) }

    /// Sends the current request's path as it is, dot segments and all, or as RFC 3986 §5.2.4 has it.
    func setPathAsIs(_ isExact: Bool) {
        _ = CCurl_easy_setopt_long(easy, CURLOPT_PATH_AS_IS, isExact ? 1 : 0)
    }

    /// Returns the header fields that sign the current request, a GET that sends `fields` besides.
    ///
    /// What is signed is the path as it is.
    func signingFields(
        _ signature: RequestSignature,
        with fields: [BucketSigner.Field]
    ) -> [BucketSigner.Field] {
        BucketSigner(region: signature.region, keyID: signature.keyID, key: signature.key)
            .fields(signing: "GET", trail.current.text, with: fields, at: Int64(time(nil)))
    }

    // MARK: - Addresses

    /// Returns the reason for which the current request may not go to an address; nil where it may.
    ///
    /// `isNamed` says that the URL itself has the address, and not that it is only connected to: that
    /// may be a proxy's.
    func refusal(of address: IPAddress, isNamed: Bool = false) -> AddressRules.Refusal? {
        let isDestination = isNamed || !network.usesProxy
        let isLedByPublic = publicHop.map { $0 < trail.count } ?? false
        return network.addressRules.refusal(of: address, isLedByPublic: isLedByPublic && isDestination)
    }

    /// Notes the address that a request goes to, which decides whether a redirect from there is a public
    /// server's.
    ///
    /// Whoever has a name that only a proxy looks up is taken for one: such a name may be anybody's.
    private func noteDestination(_ address: IPAddress? = nil) {
        let destination = IPAddress(host: trail.current.host) ?? (network.usesProxy ? nil : address)
        if publicHop == nil, destination?.isPrivate != true { publicHop = trail.count }
    }

    /// Makes the socket, unless the rules deny its address.
    ///
    /// This is the one place that sees every address before anything is sent there.
    private static let openSocket: CCurlOpenSocket = { context, _, address in
        guard let address, let handle = handle(context) else { return CURL_SOCKET_BAD }
        handle.waitsInLibcurl = false
        let ip = withUnsafeBytes(of: &address.pointee.addr) { bytes in
            bytes.baseAddress.flatMap { IPAddress($0, length: Int(address.pointee.addrlen)) }
        }
        if let refusal = ip.map({ handle.refusal(of: $0) }) ?? .denied {
            handle.refusedAddress = refusal
            return CURL_SOCKET_BAD
        }
        handle.allowedAddress = true
        let descriptor = handle.network.ceiling.admit(
            socket(
                address.pointee.family,
                address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                address.pointee.protocol
            )
        )
        if descriptor < 0 { handle.socketError = errno } else { handle.openedSockets.append(descriptor) }
        return descriptor
    }

    /// A host is about to be looked up, on a thread whose sockets and files nobody else sees.
    private static let beginLookup: CCurlResolverStart = { _, _, context in
        guard let handle = handle(context) else { return 1 }
        handle.waitsInLibcurl = false
        let number = handle.network.ceiling.errorOfOpening()
        if number != 0 { handle.socketError = number }
        return number == 0 ? 0 : 1
    }

    /// A request is about to go out on a connection, which may have been made for another one.
    private static let beforeRequest: CCurlBeforeRequest = { context, remote, _, remotePort, ownPort in
        guard let handle = handle(context) else { return CURL_PREREQFUNC_ABORT }
        handle.waitsInLibcurl = false
        // A proxy behind a unix socket has none.
        let ip = remote.flatMap { IPAddress(String(cString: $0)) }
        handle.connection = ip.map {
            ConnectionEnds(
                peer: $0,
                peerPort: UInt16(truncatingIfNeeded: remotePort),
                ownPort: UInt16(truncatingIfNeeded: ownPort)
            )
        }
        guard handle.connectionIsThere() else { return CURL_PREREQFUNC_ABORT }
        guard let ip else {
            handle.noteDestination()
            return CURL_PREREQFUNC_OK
        }
        if let refusal = handle.refusal(of: ip) {
            handle.refuse(refusal.failure(at: handle.place))
            return CURL_PREREQFUNC_ABORT
        }
        handle.noteDestination(ip)
        return CURL_PREREQFUNC_OK
    }

    private static func handle(_ context: UnsafeMutableRawPointer?) -> WatchedHandle? {
        context.map { Unmanaged<WatchedHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}
