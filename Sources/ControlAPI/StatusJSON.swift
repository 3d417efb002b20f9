/// How the daemon is.
public struct StatusJSON: Codable, Hashable, Sendable {
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

    /// Transfers under way.
    public struct Transfers: Codable, Hashable, Sendable {
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
    }

    /// Face detection.
    public struct Detection: Codable, Hashable, Sendable {
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
    }

    /// What keeps work from being begun.
    public struct Hold: Codable, Hashable, Sendable {
        /// What it is.
        public var kind: APIWord<Kind>
        /// One sentence for people.
        public var reason: String

        /// What it is, and why.
        public init(kind: APIWord<Kind>, reason: String) {
            self.kind = kind
            self.reason = reason
        }
    }

    /// Where the documents are.
    public struct Disk: Codable, Hashable, Sendable {
        /// Free bytes; null when that can't be read.
        public var freeBytes: Int64?

        enum CodingKeys: String, CodingKey {
            case freeBytes = "free_bytes"
        }

        /// Free bytes.
        public init(freeBytes: Int64?) { self.freeBytes = freeBytes }

        /// The key is always there.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(freeBytes, forKey: .freeBytes)
        }
    }
}
