import JobCore
import JobModel
import Vocabulary

/// The engine's configuration.
public struct JobEngineConfiguration: Sendable {
    /// The limits on transfers, in total and per host.
    public var transfers: TransferQueue.Limits
    /// The limits of hosts, beside those.
    public var hosts: HostRules
    /// The number of documents that may be looked at at once.
    public var detections: Int
    /// The engines that the detectors offer.
    public var engines: Set<DetectionEngine>
    /// True if documents are looked at without being asked for; otherwise their jobs are done at once.
    public var looksByItself: Bool
    /// The position of the detection gate if nobody has ever set it.
    public var detectionGateOpen: Bool
    /// True if the gate's last position is restored when the engine starts.
    public var remembersDetectionGate: Bool
    /// The policy for retrying transfers that were cut off.
    public var retry: RetryPolicy
    /// The length in bytes from which files have steps of progress told.
    public var stepsFrom: Int64
    /// The folders of documents for which none was asked for.
    public var layout: DocumentLayout
    /// The rules for documents' names and times.
    public var documents: DocumentRules
    /// The bytes to keep free on the documents' disk.
    public var diskReserve: Int64
    /// The most bytes of documents that may be removed to make room, all together; nil for any number.
    public var maximumSize: Int64?
    /// The id of this run of the machine (/proc/sys/kernel/random/boot_id); nil if it can't be
    /// determined.
    public var boot: String?
    /// Returns whether the machine currently has a route to other networks.
    public var hasDefaultRoute: @Sendable () -> Bool
    /// Limits on downloads by the time of the week and by connection.
    public var hours: TransferHours
    /// The time before which the wall clock can only be wrong, so that nothing is fetched; nil for none.
    public var earliestTime: Timestamp?
    /// The number of jobs of a long list handled in one turn.
    public var sliceSize: Int

    public init(
        transfers: TransferQueue.Limits = TransferQueue.Limits(total: 16, perHost: 6),
        hosts: HostRules = HostRules(),
        detections: Int = 2,
        engines: Set<DetectionEngine> = [.haar],
        looksByItself: Bool = true,
        detectionGateOpen: Bool = true,
        remembersDetectionGate: Bool = true,
        retry: RetryPolicy = RetryPolicy(),
        stepsFrom: Int64 = 0,
        layout: DocumentLayout = DocumentLayout(),
        documents: DocumentRules = DocumentRules(),
        diskReserve: Int64 = 256 << 20,
        maximumSize: Int64? = nil,
        boot: String? = nil,
        hasDefaultRoute: @escaping @Sendable () -> Bool = { true },
        hours: TransferHours = TransferHours(),
        earliestTime: Timestamp? = nil,
        sliceSize: Int = 2000
    ) {
        self.transfers = transfers
        self.hosts = hosts
        self.detections = detections
        self.engines = engines
        self.looksByItself = looksByItself
        self.detectionGateOpen = detectionGateOpen
        self.remembersDetectionGate = remembersDetectionGate
        self.retry = retry
        self.stepsFrom = stepsFrom
        self.layout = layout
        self.documents = documents
        self.diskReserve = diskReserve
        self.maximumSize = maximumSize
        self.boot = boot
        self.hasDefaultRoute = hasDefaultRoute
        self.hours = hours
        self.earliestTime = earliestTime
        self.sliceSize = sliceSize
    }
}
