import CCurl
import Glibc
import HTTPRequests
import JobCore
import JobModel
import Logging
import Vocabulary

/// The loop of the transfer thread, which in each turn takes messages, lets libcurl work, and reports.
///
/// It is explicitly not Sendable, since it is created and used on one thread only.
final class TransferLoop: TransferSlotOwner {
    private(set) var configuration: CurlTransferConfiguration
    let mailbox: TransferMailbox
    let logger: Logger
    let report: CurlTransfer.ReportHandler
    /// Called for each transfer that has come to rest by a mistake of ours.
    let whenAtRest: () -> Void
    let multi: UnsafeMutableRawPointer
    let usesProxy = CurlTransfer.proxyVariable != nil

    /// The slots that transfers began with, by job.
    var active: [JobID: TransferSlot] = [:]
    /// The requests that wait for other transfers of their hosts to end.
    var inHand = RequestsInHand()
    /// The transfers with progress to report.
    var dirty: [Transfer] = []
    var held = HeldSlots()
    /// The transfers whose bodies are in memory, or were, in the order in which the bodies began.
    var buffered: [Transfer] = []
    /// The room for bodies in memory.
    let bufferRoom = BufferRoom(limit: BodyBuffer.limitOfAll)
    /// The table in which the content of segments is noted; nil for none.
    let segmentTable: SegmentTable?
    /// The transfers in segments.
    var crews: [SegmentCrew] = []
    var crewCount = 0
    /// Memory of what hosts ask for and bear.
    var hosts = HostMemory()
    /// The TLS sessions of hosts.
    private var sessions = SessionMemory()
    /// The sockets of connections, and what they looked like.
    var sockets = ConnectionSockets()
    var watch = ConnectionWatch()
    /// The number of connections that are watched for what follows an answer.
    let watchedConnections = WatchedConnection.Counter()
    /// The requests that were sent along with others over a connection for one.
    var crossed: [TransferSlot] = []
    /// The requests that wait for the pace of their hosts.
    var gate = PaceGate<TransferSlot>()
    /// The requests that were lost with their connections, and wait for their hosts to answer others.
    var lost: [LostRequest] = []
    /// The time of the last change of the denied networks, on the clock of ``now``.
    private(set) var networksChangedAt: Int64?
    var bucket: RateBucket?
    /// The time of the next look at what waits in libcurl.
    var wakesAt: Int64 = 0
    /// The rate limits of single hosts.
    var hostRates = HostRates()
    /// A limit for the present that goes beside the configuration's, in bytes per second.
    private var presentRateLimit: Int64?
    var roomWatch = RoomWatch()
    /// True if nothing may be written, because the disk's last space is reserved for the store.
    private(set) var isHeld = false
    var reports: [(JobID, TransferReport)] = []
    /// The time of this turn in milliseconds of the monotonic clock.
    private(set) var now: Int64 = 0
    /// The time of this turn in milliseconds of the clock that runs on while the machine is suspended, which is no time
    /// for a transfer, but is for a host that has asked to wait, or has a pace.
    private(set) var hostTime: Int64 = 0

    /// The number of bytes of an unwanted body that are worth reading to keep the connection.
    static let drainLimit: Int64 = 64 * 1024
    /// The milliseconds between two progress reports of a transfer.
    static let progressInterval: Int64 = 100
    /// The milliseconds over which a stream's speed is measured, to find out whether it suffices.
    static let watchInterval: Int64 = 100
    /// The milliseconds for which a stream may be without an answer while others of its crew have one.
    static let longestSilence: Int64 = 5000
    /// The same for a stream whose part another one is about to come to.
    static let shortSilence: Int64 = 1000
    /// The bytes before its part from which on another stream is about to come to it.
    static let nearDistance: Int64 = 2 << 20
    /// The most requests at once over one connection where the settings don't say, which is libcurl's own limit.
    static let usualStreams = 100
    /// The milliseconds after which paused transfers get another share of the total rate.
    static let rateInterval: Int32 = 20

    /// Creates a loop; nil if there can be no multi handle.
    init?(
        configuration: CurlTransferConfiguration,
        segmentTable: SegmentTable?,
        mailbox: TransferMailbox,
        logger: Logger,
        whenAtRest: @escaping () -> Void,
        report: @escaping CurlTransfer.ReportHandler
    ) {
        guard let multi = MultiHandle.create() else { return nil }
        self.multi = multi
        self.configuration = configuration
        self.segmentTable = segmentTable
        self.mailbox = mailbox
        self.logger = logger
        self.whenAtRest = whenAtRest
        self.report = report
        readClocks()
        apply(configuration)
        mailbox.attach(multi)
    }

    deinit {
        mailbox.attach(nil)
        gate = PaceGate()
        lost = []
        for crew in crews { dismiss(crew) }
        for slot in active.values {
            takeBack(slot)
            slot.transfer.close()
            slot.release()
        }
        crews = []
        buffered = []
        active = [:]
        curl_multi_cleanup(multi)
    }

    /// Runs until the mailbox asks for the end.
    func run() {
        while true {
            let contents = mailbox.drain()
            if contents.isShutDown {
                spillAll()
                return keepAtEnd()
            }
            readClocks()
            for message in contents.messages { handle(message) }
            resumeHeld()
            sendPaced()
            var running: Int32 = 0
            _ = curl_multi_perform(multi, &running)
            finishEnded()
            resumeLost()
            wakeWaiting()
            if !crews.isEmpty {
                watchCrews()
                giveUpSilentStreams()
                growCrews()
                keepCrews()
            }
            spillOld()
            reportProgress()
            deliver()
            _ = curl_multi_poll(multi, nil, 0, timeout, nil)
        }
    }

    private func handle(_ message: TransferMailbox.Message) {
        switch message {
        case .start(let requests): for request in requests { take(request) }
        case .recall(let jobs): giveBack(inHand.remove(jobs))
        case .stop(let jobs): for job in jobs { stop(job) }
        case .confirm(let jobs): for job in jobs { confirm(job) }
        case .synced(let job, let crew, let errorNumber): synced(job, crew: crew, errorNumber)
        case .reconfigure(let configuration): apply(configuration)
        case .limitRate(let rate):
            presentRateLimit = rate
            limitRate()
        case .release(let host): hosts.release(host)
        case .hold(let answer):
            spillAll()
            isHeld = true
            answer()
        case .goOn: isHeld = false
        case .answer(let answer): answer()
        }
    }

    func sessions(of host: String?) -> TLSSessions? { sessions.sessions(of: host) }

    var addressRules: AddressRules { configuration.addressRules }
    var ceiling: DescriptorCeiling { configuration.ceiling }

    /// The longest wait for the network; libcurl's own timers shorten it.
    private var timeout: Int32 {
        // Slots that wait for the store are woken by a message, as all are while nothing may be written.
        if !isHeld, held.waitForTime { return Self.rateInterval }
        let isTimed = !dirty.isEmpty || !buffered.isEmpty || crews.contains(where: \.isTimed)
        let longest = active.isEmpty ? 3_600_000 : Int32(Self.wakeInterval)
        return min(isTimed ? Int32(Self.progressInterval) : longest, paceTimeout ?? .max)
    }

    private func apply(_ configuration: CurlTransferConfiguration) {
        if configuration.deniedNetworks != self.configuration.deniedNetworks { networksChangedAt = now }
        self.configuration = configuration
        _ = CCurl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, configuration.connectionCacheSize)
        // At this number the connection that has been idle for longest is closed for a new one.
        let most = configuration.maximumConnections ?? 0
        _ = CCurl_multi_setopt_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, most)
        let mostToHost = usesProxy ? nil : configuration.mostConnectionsPerHost
        _ = CCurl_multi_setopt_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, mostToHost ?? 0)
        // More than the settings say: which connection a request goes over is decided before (ConnectionLanes).
        let streams = max(Self.usualStreams, 2 * configuration.streams)
        _ = CCurl_multi_setopt_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, streams)
        limitRate()
        hostRates.limit(by: { configuration.hosts.limits(of: $0).rateLimit }, now: now)
        // The file of authorities may have lost one.
        sessions.forget()
    }

    /// Limits all transfers together to the lower of the two rates, from now on.
    private func limitRate() {
        let rate = [configuration.totalRateLimit, presentRateLimit].compactMap(\.self).min()
        if bucket?.rate != rate { bucket = rate.map { RateBucket(rate: $0, now: now) } }
    }

    private func readClocks() {
        now = Self.milliseconds(of: CLOCK_MONOTONIC)
        hostTime = Self.milliseconds(of: CLOCK_BOOTTIME)
    }

    /// Returns what a clock says in milliseconds.
    static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
