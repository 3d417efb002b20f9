/// How the daemon is.
public struct StatusJSON: APIObject {
    /// The daemon's version.
    public var version: String
    /// What it does.
    public var state: APIWord<State>
    /// Seconds since the daemon started.
    public var uptime: Double
    /// How many jobs stand where: every state.
    public var jobs: JobCountsJSON
    /// Transfers under way.
    public var transfers: Transfers
    /// Face detection.
    public var detection: Detection
    /// Where the documents are.
    public var disk: Disk
    /// What keeps work from being begun; empty where nothing does.
    public var holds: [Hold]?

    /// The daemon's state.
    public init(
        version: String,
        state: APIWord<State>,
        uptime: Double,
        jobs: JobCountsJSON,
        transfers: Transfers,
        detection: Detection,
        disk: Disk,
        holds: [Hold] = []
    ) {
        self.version = version
        self.state = state
        self.uptime = uptime
        self.jobs = jobs
        self.transfers = transfers
        self.detection = detection
        self.disk = disk
        self.holds = holds
    }

    enum CodingKeys: String, CodingKey {
        case version, state, uptime, jobs, transfers, detection, disk, holds
    }

    /// A daemon of this version always says what holds things up.
    public static let shape = Shape<StatusJSON>(
        "Status",
        [
            Member(CodingKeys.version, \.version),
            Member(CodingKeys.state, \.state),
            Member(CodingKeys.uptime, \.uptime, .number(from: 0)),
            Member(CodingKeys.jobs, \.jobs, .jobCounts),
            Member(CodingKeys.transfers, \.transfers),
            Member(CodingKeys.detection, \.detection),
            Member(CodingKeys.disk, \.disk),
            Member(ifKnown: CodingKeys.holds, \.holds, isPromised: true),
        ]
    )

    /// Transfers under way.
    public struct Transfers: APIObject {
        /// How many.
        public var active: Int
        /// What they fetch together.
        public var bytesPerSecond: Double

        enum CodingKeys: String, CodingKey {
            case active
            case bytesPerSecond = "bytes_per_second"
        }

        /// How many, and how fast.
        public init(active: Int, bytesPerSecond: Double) {
            self.active = active
            self.bytesPerSecond = bytesPerSecond
        }

        /// Both are always there.
        public static let shape = Shape<Transfers>(
            "StatusTransfers",
            [
                Member(CodingKeys.active, \.active, .integer(from: 0)),
                Member(CodingKeys.bytesPerSecond, \.bytesPerSecond, .number(from: 0)),
            ]
        )
    }

    /// Face detection.
    public struct Detection: APIObject {
        /// How the gate is.
        public var gate: APIWord<GateJSON.State>
        /// Documents that detectors are looking at.
        public var active: Int
        /// Documents that wait for a detector.
        public var waiting: Int

        /// The gate and the queue behind it.
        public init(gate: APIWord<GateJSON.State>, active: Int, waiting: Int) {
            self.gate = gate
            self.active = active
            self.waiting = waiting
        }

        enum CodingKeys: String, CodingKey {
            case gate, active, waiting
        }

        /// Every key is always there.
        public static let shape = Shape<Detection>(
            "StatusDetection",
            [
                Member(CodingKeys.gate, \.gate),
                Member(CodingKeys.active, \.active, .integer(from: 0)),
                Member(CodingKeys.waiting, \.waiting, .integer(from: 0)),
            ]
        )
    }

    /// What keeps work from being begun.
    public struct Hold: APIObject {
        /// What it is.
        public var kind: APIWord<Kind>
        /// One sentence for people.
        public var reason: String

        /// What it is, and why.
        public init(kind: APIWord<Kind>, reason: String) {
            self.kind = kind
            self.reason = reason
        }

        /// Both are always there.
        public static let shape = Shape<Hold>(
            "StatusHold",
            [Member(CodingKeys.kind, \.kind), Member(CodingKeys.reason, \.reason)]
        )
    }

    /// Where the documents are.
    public struct Disk: APIObject {
        /// Free bytes; null when that can't be read.
        public var freeBytes: Int64?

        enum CodingKeys: String, CodingKey {
            case freeBytes = "free_bytes"
        }

        /// Free bytes.
        public init(freeBytes: Int64?) { self.freeBytes = freeBytes }

        /// The key is always there.
        public static let shape = Shape<Disk>(
            "StatusDisk",
            [Member(CodingKeys.freeBytes, \.freeBytes, .integer(from: 0).orNull)]
        )
    }
}
