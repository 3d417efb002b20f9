import CCurl
import Glibc
import JobCore
import Logging

/// The life of the transfer thread: it takes messages, lets libcurl work,
/// and reports, turn after turn.
///
/// Explicitly not Sendable: it is made, used and gone on one thread.
final class TransferLoop: TransferSlotOwner {
    private(set) var configuration: CurlTransferConfiguration
    /// Counts the configurations, so that a slot knows whether it has the latest.
    private(set) var generation = 0
    let mailbox: TransferMailbox
    let logger: Logger
    let report: CurlTransfer.ReportHandler
    let multi: UnsafeMutableRawPointer
    let usesProxy = CurlTransfer.proxyVariable != nil

    var active: [JobID: TransferSlot] = [:]
    var idle = IdleSlots()
    var dirty: [TransferSlot] = []
    var held = HeldSlots()
    /// The transfers that go on in segments.
    var crews: [SegmentCrew] = []
    var crewCount = 0
    /// When the networks that are denied last changed, on the clock of ``now``.
    private(set) var networksChangedAt: Int64?
    var bucket: RateBucket?
    var roomWatch = RoomWatch()
    /// Whether nothing may be written: the disk's last room is the store's.
    private(set) var isHeld = false
    var reports: [(JobID, TransferReport)] = []
    /// Milliseconds of the monotonic clock, as of this turn.
    private(set) var now: Int64 = 0

    /// Bytes of an unwanted body that are worth reading to keep the connection.
    static let drainLimit: Int64 = 64 * 1024
    /// Milliseconds between two reports of one transfer's progress.
    static let progressInterval: Int64 = 100
    /// Milliseconds over which the speed of a stream is taken that may not be enough.
    static let watchInterval: Int64 = 100
    /// Milliseconds after which paused transfers get another share of the total rate.
    static let rateInterval: Int32 = 20

    /// Nil when libcurl has no memory for a multi handle.
    init?(
        configuration: CurlTransferConfiguration,
        mailbox: TransferMailbox,
        logger: Logger,
        report: @escaping CurlTransfer.ReportHandler
    ) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.configuration = configuration
        self.mailbox = mailbox
        self.logger = logger
        self.report = report
        now = Self.milliseconds()
        apply(configuration)
        mailbox.attach(multi)
    }

    deinit {
        mailbox.attach(nil)
        for crew in crews { dismiss(crew) }
        for slot in active.values {
            curl_multi_remove_handle(multi, slot.easy)
            slot.release()
        }
        crews = []
        active = [:]
        idle.removeAll()
        curl_multi_cleanup(multi)
    }

    /// Works until the mailbox says that it is over.
    func run() {
        while true {
            let contents = mailbox.drain()
            if contents.isShutDown { return keepAtEnd() }
            now = Self.milliseconds()
            for message in contents.messages { take(message) }
            resumeHeld()
            var running: Int32 = 0
            _ = curl_multi_perform(multi, &running)
            finishEnded()
            if !crews.isEmpty {
                watchCrews()
                growCrews()
                keepCrews()
            }
            reportProgress()
            deliver()
            _ = curl_multi_poll(multi, nil, 0, timeout, nil)
        }
    }

    private func take(_ message: TransferMailbox.Message) {
        switch message {
        case .start(let requests): for request in requests { start(request) }
        case .stop(let jobs): for job in jobs { stop(job) }
        case .confirm(let jobs): for job in jobs { confirm(job) }
        case .synced(let job, let crew, let errorNumber): synced(job, crew: crew, errorNumber)
        case .reconfigure(let configuration): apply(configuration)
        case .hold(let answer):
            isHeld = true
            answer()
        case .goOn: isHeld = false
        case .answer(let answer): answer()
        }
    }

    var addressRules: AddressRules { configuration.addressRules }

    /// How long to wait for the network; libcurl's own timers shorten it.
    private var timeout: Int32 {
        // Who waits for the store is woken by a message, and so are all when nothing may be written.
        if !isHeld, held.waitForTime { return Self.rateInterval }
        return dirty.isEmpty && !crews.contains(where: \.isTimed) ? 3_600_000 : Int32(Self.progressInterval)
    }

    private func apply(_ configuration: CurlTransferConfiguration) {
        if configuration.deniedNetworks != self.configuration.deniedNetworks { networksChangedAt = now }
        self.configuration = configuration
        self.configuration.policy.undoneCodings = Self.undoneCodings
        _ = CCurl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, configuration.connectionCacheSize)
        bucket = configuration.totalRateLimit.map { RateBucket(rate: $0, now: now) }
        // Active transfers end as they began; slots take it on with their next one.
        generation += 1
    }

    /// What the libcurl at hand was built to undo.
    private static let undoneCodings: Set<String> = {
        guard let features = curl_version_info(CURLVERSION_FIRST)?.pointee.features else { return [] }
        var codings: Set<String> = []
        if features & CURL_VERSION_LIBZ != 0 { codings = ["gzip", "x-gzip", "deflate"] }
        if features & CURL_VERSION_BROTLI != 0 { codings.insert("br") }
        if features & CURL_VERSION_ZSTD != 0 { codings.insert("zstd") }
        return codings
    }()

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
