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
