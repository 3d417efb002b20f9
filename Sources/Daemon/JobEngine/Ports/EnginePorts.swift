import JobModel
import Vocabulary

/// The ports to everything outside that the engine works with.
struct EnginePorts {
    var store: any StorePort
    var transfers: any TransferPort
    var documents: any DocumentPort
    var detection: any DetectionPort
    var sinks: [any EventSink]
    var bus: EventBus
    /// Hears of the contents (SHA-256) of documents whose jobs are forgotten; other jobs may have the same.
    var contentsForgotten: @Sendable ([String]) -> Void = { _ in }
    /// Returns the jobs whose documents have been served since it was last called.
    var takeServed: @Sendable () -> [JobID] = { [] }
}

/// The detectors, as the engine sees them.
///
/// Results come back through the engine's inbox.
public protocol DetectionPort: Sendable {
    /// The detector used when no engine is asked for; nil while it isn't known.
    var identity: DetectorIdentity? { get }
    /// Submits a document.
    func submit(_ request: DetectionRequest)
    /// Withdraws a document, for which no result will come.
    func withdraw(_ job: JobID)
}

/// A receiver of events, called once they are durable.
///
/// It must not block, except where noted.
public protocol EventSink: Sendable {
    /// Appends the events of one turn, in order.
    func append(_ events: EventLines)
    /// The id of the last event that need no longer be kept for this sink; nil if it needs none.
    var writtenThrough: Int64? { get }
    /// Stops writing to the disk; returns once nothing is being written, or false if that takes long.
    func holdWriting() -> Bool
    /// Resumes writing, including what has arrived in the meantime.
    func goOnWriting()
}

extension EventSink {
    /// Nil, since no events need be kept for it.
    public var writtenThrough: Int64? { nil }
    /// Returns true, since it writes to no disk.
    public func holdWriting() -> Bool { true }
    /// Does nothing, since it was never held.
    public func goOnWriting() {}
}
