import JobModel
import Vocabulary

/// The engine's status at one moment.
public struct EngineStatus: Hashable, Sendable {
    /// The moment at which the engine started.
    public var startedAt: Moment
    /// The id that was made with the store; empty while the daemon has none.
    public var store = ""
    /// The number of jobs in each state; states without jobs are left out.
    public var jobsByState: [JobState: Int]
    /// The number of running transfers.
    public var activeTransfers: Int
    /// Their combined speed in bytes per second.
    public var bytesPerSecond: Double
    /// The rate in bytes per second that they are limited to now; nil if they aren't.
    public var rateLimit: Int64?
    /// The moment at which the timetable changes that limit; nil if it doesn't.
    public var rateLimitUntil: Moment?
    /// The bytes fetched since the engine started, including any fetched twice.
    public var receivedBytes: Int64
    /// True if documents are looked at as they arrive.
    public var detectionGateOpen: Bool
    /// The number of documents being looked at.
    public var activeDetections: Int
    /// The number of documents that wait for a detector.
    public var waitingDetections: Int
    /// The engine that looks if a request names none; nil until a detector has been ready.
    public var detectionEngine: String?
    /// The engines that requests can name.
    public var detectionEngines: Set<DetectionEngine> = []
    /// The free bytes on the documents' disk; nil if they can't be determined.
    public var freeBytes: Int64?
    /// The bytes that are kept free there (`disk.reserve`).
    public var reserveBytes: Int64 = 0
    /// The free bytes on the job store's disk; nil if they can't be determined.
    public var storeFreeBytes: Int64?

    /// The obstacles to beginning work, if there are any.
    public var holds: [EngineHold] = []
    /// True if the daemon is still starting.
    public var isStarting = false

    /// Creates the status of an idle engine.
    public init(startedAt: Moment) {
        self.startedAt = startedAt
        self.jobsByState = [:]
        self.activeTransfers = 0
        self.bytesPerSecond = 0
        self.receivedBytes = 0
        self.detectionGateOpen = true
        self.activeDetections = 0
        self.waitingDetections = 0
    }
}

extension EngineStatus {
    /// True if anything is still to be downloaded.
    var hasDownloads: Bool {
        [JobState.queued, .downloading, .waiting].contains { jobsByState[$0, default: 0] > 0 }
    }
}

/// Something that keeps work from being begun, until it passes by itself or someone acts.
public struct EngineHold: Hashable, Sendable {
    /// The kind of obstacle.
    public var kind: HoldKind
    /// A sentence for people.
    public var reason: String
    /// The moment at which it passes by itself; nil where nobody knows.
    public var until: Moment?
    /// The host that asks to wait (``JobURL/hostKey``); nil for any other obstacle.
    public var host: String?
    /// True if the job store is what lacks room.
    public var isOfStore = false

    /// The obstacle with how many bytes are free on the disk that lacks room, if anybody knows.
    public func saying(freeBytes: Int64?) -> EngineHold {
        guard let freeBytes else { return self }
        var hold = self
        hold.reason += " (now \(freeBytes >> 20) MiB are)"
        return hold
    }

    public init(kind: HoldKind, reason: String, until: Moment? = nil, host: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.until = until
        self.host = host
    }
}

/// The progress of a running transfer.
public struct LiveTransfer: Hashable, Sendable {
    /// The number of bytes in the partial.
    public var bytes: Int64
    /// The length of the whole file in bytes, where known.
    public var total: Int64?
    /// The speed over the last few seconds, in bytes per second.
    public var bytesPerSecond: Double

    public init(bytes: Int64, total: Int64?, bytesPerSecond: Double) {
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }
}
