import Vocabulary

/// The daemon's status.
public struct StatusJSON: APIObject {
    /// The daemon's version.
    public var version: String
    /// The state of the daemon.
    public var state: APIWord<State>
    /// The seconds since the daemon started.
    public var uptime: Double
    /// The number of jobs in each state, for every state.
    public var jobs: JobCountsJSON
    /// The running transfers.
    public var transfers: Transfers
    /// The state of face detection.
    public var detection: Detection
    /// The documents' disk.
    public var disk: Disk
    /// Holds that keep work from being begun; empty if nothing does.
    public var holds: [Hold]?
    /// False for clients that may only read; nil if the daemon is too old to say.
    public var mayChange: Bool?
    /// The id that was made with the job store; nil while the daemon has none.
    public var store: String?
    /// The state of the webhook.
    public var webhook: Webhook?
    /// The state of the reports of the daemon's own faults.
    public var reporting: Reporting?
    /// The number of sources in each state.
    public var sources: Sources?

    public init(
        version: String,
        state: APIWord<State>,
        uptime: Double,
        jobs: JobCountsJSON,
        transfers: Transfers,
        detection: Detection,
        disk: Disk,
        holds: [Hold] = [],
        mayChange: Bool? = nil,
        store: String? = nil,
        webhook: Webhook? = nil,
        reporting: Reporting? = nil,
        sources: Sources? = nil
    ) {
        self.version = version
        self.state = state
        self.uptime = uptime
        self.jobs = jobs
        self.transfers = transfers
        self.detection = detection
        self.disk = disk
        self.holds = holds
        self.mayChange = mayChange
        self.store = store
        self.webhook = webhook
        self.reporting = reporting
        self.sources = sources
    }

    enum CodingKeys: String, CodingKey {
        case version, state, uptime, jobs, transfers, detection, disk, holds
        case mayChange = "may_change"
        case store, webhook, reporting, sources
    }

    public static let shape = Shape<StatusJSON>("Status", CodingKeys.self) {
        $0.member(.version, \.version)
        $0.member(.state, \.state)
        $0.member(.uptime, \.uptime, .number(from: 0))
        $0.member(.jobs, \.jobs, .jobCounts)
        $0.member(.transfers, \.transfers)
        $0.member(.detection, \.detection)
        $0.member(.disk, \.disk)
        $0.member(ifKnown: .holds, \.holds, isPromised: true)
        $0.member(ifKnown: .mayChange, \.mayChange, isPromised: true)
        $0.member(.store, \.store) {
            "Made with the job store, whose numbers it is about: whoever finds another one begins again. Null while "
                + "the daemon waits for room to start."
        }
        $0.member(ifKnown: .webhook, \.webhook, isPromised: true)
        $0.member(ifKnown: .reporting, \.reporting, isPromised: true)
        $0.member(ifKnown: .sources, \.sources, isPromised: true)
    }

    /// The running transfers.
    public struct Transfers: APIObject {
        /// The number of transfers.
        public var active: Int
        /// Their combined speed in bytes per second.
        public var bytesPerSecond: Double
        /// The rate in bytes per second that they are limited to now; nil if they aren't.
        public var rateLimit: Int64?
        /// The time when the timetable changes that limit (RFC 3339); nil if it doesn't.
        public var rateLimitUntil: String?
        /// The environment variable that sends transfers through a proxy; nil if none does.
        public var proxy: String?

        enum CodingKeys: String, CodingKey {
            case active, proxy
            case bytesPerSecond = "bytes_per_second"
            case rateLimit = "rate_limit"
            case rateLimitUntil = "rate_limit_until"
        }

        public init(
            active: Int,
            bytesPerSecond: Double,
            rateLimit: Int64? = nil,
            rateLimitUntil: String? = nil,
            proxy: String? = nil
        ) {
            self.active = active
            self.bytesPerSecond = bytesPerSecond
            self.rateLimit = rateLimit
            self.rateLimitUntil = rateLimitUntil
            self.proxy = proxy
        }

        public static let shape = Shape<Transfers>("StatusTransfers", CodingKeys.self) {
            $0.member(.active, \.active, .count)
            $0.member(.bytesPerSecond, \.bytesPerSecond, .number(from: 0))
            $0.member(.rateLimit, \.rateLimit, .integer(from: 1).orNull) {
                "What they are limited to now, in bytes per second; null for no limit."
            }
            $0.member(.rateLimitUntil, \.rateLimitUntil, .time.orNull) {
                "When the timetable changes that limit; null if it doesn't."
            }
            $0.member(.proxy, \.proxy) {
                "The daemon's environment variable that names a proxy for transfers; null if none does."
            }
        }
    }

    /// The state of face detection.
    public struct Detection: APIObject {
        /// The position of the detection gate.
        public var gate: APIWord<GateJSON.State>
        /// The number of documents being looked at.
        public var active: Int
        /// The number of documents that wait for a detector.
        public var waiting: Int
        /// The engine that looks if a request names none; nil until that is known.
        public var engine: APIWord<DetectionEngine>?
        /// True if there is a network for yunet; nil from a daemon older than the client.
        public var hasNetwork: Bool?
        /// The reason why none looks, or another engine than the settings ask for; nil if there is none.
        public var problem: String?

        public init(
            gate: APIWord<GateJSON.State>,
            active: Int,
            waiting: Int,
            engine: APIWord<DetectionEngine>? = nil,
            hasNetwork: Bool? = nil,
            problem: String? = nil
        ) {
            self.gate = gate
            self.active = active
            self.waiting = waiting
            self.engine = engine
            self.hasNetwork = hasNetwork
            self.problem = problem
        }

        enum CodingKeys: String, CodingKey {
            case gate, active, waiting, engine, problem
            case hasNetwork = "has_network"
        }

        public static let shape = Shape<Detection>("StatusDetection", CodingKeys.self) {
            $0.member(.gate, \.gate)
            $0.member(.active, \.active, .count)
            $0.member(.waiting, \.waiting, .count)
            $0.member(.engine, \.engine) {
                "The engine that looks if a request names none; null until that is known."
            }
            $0.member(ifKnown: .hasNetwork, \.hasNetwork, isPromised: true) {
                "True if there is a network for yunet, so that requests can name that engine."
            }
            $0.member(ifKnown: .problem, \.problem) {
                "Why no detector can start, or another engine looks than the settings ask for; absent where all is "
                    + "well."
            }
        }
    }

    /// Something that keeps work from being begun.
    public struct Hold: APIObject {
        /// The kind of obstacle.
        public var kind: APIWord<HoldKind>
        /// A sentence for people.
        public var reason: String
        /// The time when it passes by itself (RFC 3339); nil if nobody knows.
        public var until: String?
        /// The host that asks to wait, with its port; nil for any other obstacle.
        public var host: String?

        public init(kind: APIWord<HoldKind>, reason: String, until: String? = nil, host: String? = nil) {
            self.kind = kind
            self.reason = reason
            self.until = until
            self.host = host
        }

        public static let shape = Shape<Hold>("StatusHold", CodingKeys.self) {
            $0.member(.kind, \.kind)
            $0.member(.reason, \.reason)
            $0.member(.until, \.until, .time.orNull) { "When it passes by itself; null where nobody knows." }
            $0.member(.host, \.host) {
                "The host that asks to wait, such as example.org:443; null for other kinds."
            }
        }
    }

    /// The documents' disk.
    public struct Disk: APIObject {
        /// The free space in bytes; null if it can't be determined.
        public var freeBytes: Int64?
        /// The bytes that are kept free; nil from a daemon older than the client.
        public var reserveBytes: Int64?

        enum CodingKeys: String, CodingKey {
            case freeBytes = "free_bytes"
            case reserveBytes = "reserve_bytes"
        }

        public init(freeBytes: Int64?, reserveBytes: Int64? = nil) {
            self.freeBytes = freeBytes
            self.reserveBytes = reserveBytes
        }

        public static let shape = Shape<Disk>("StatusDisk", CodingKeys.self) {
            $0.member(.freeBytes, \.freeBytes, .count.orNull)
            $0.member(ifKnown: .reserveBytes, \.reserveBytes, .count, isPromised: true) {
                "The bytes that are kept free there (disk.reserve)."
            }
        }
    }
}

extension StatusJSON {
    /// States of the daemon.
    public enum State: String, CaseIterable, Sendable {
        /// The daemon doesn't accept requests yet.
        case starting
        /// The daemon is working normally.
        case running
        /// The daemon is finishing what it has begun.
        case stopping
    }
}
