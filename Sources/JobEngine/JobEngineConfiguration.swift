import JobCore

/// What the engine goes by.
public struct JobEngineConfiguration: Sendable {
    /// Transfers at once, altogether and to one host.
    public var transfers: TransferQueue.Limits
    /// Documents that may be looked at at once.
    public var detections: Int
    /// The engines that detectors have.
    public var engines: Set<DetectionEngine>
    /// How the detection gate is where nobody has ever set it.
    public var detectionGateOpen: Bool
    /// Whether the gate is found as it was left when the engine starts.
    public var remembersDetectionGate: Bool
    /// When transfers that were cut off are tried again.
    public var retry: RetryPolicy
    /// Bytes that stay free where the documents are.
    public var diskReserve: Int64
    /// Names this run of the machine (/proc/sys/kernel/random/boot_id); nil when it can't be told.
    public var boot: String?
    /// Whether the machine has a way to other networks at this moment.
    public var hasDefaultRoute: @Sendable () -> Bool
    /// How many jobs of a long list are taken in one turn.
    public var sliceSize: Int

    /// A configuration; the defaults are safe ones.
    public init(
        transfers: TransferQueue.Limits = TransferQueue.Limits(total: 16, perHost: 6),
        detections: Int = 2,
        engines: Set<DetectionEngine> = [.haar],
        detectionGateOpen: Bool = true,
        remembersDetectionGate: Bool = true,
        retry: RetryPolicy = RetryPolicy(),
        diskReserve: Int64 = 256 << 20,
        boot: String? = nil,
        hasDefaultRoute: @escaping @Sendable () -> Bool = { true },
        sliceSize: Int = 2000
    ) {
        self.transfers = transfers
        self.detections = detections
        self.engines = engines
        self.detectionGateOpen = detectionGateOpen
        self.remembersDetectionGate = remembersDetectionGate
        self.retry = retry
        self.diskReserve = diskReserve
        self.boot = boot
        self.hasDefaultRoute = hasDefaultRoute
        self.sliceSize = sliceSize
    }
}
