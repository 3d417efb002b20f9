import Vocabulary

/// The origin of jobs: a batch that somebody posted, or a source.
///
/// Flows of one priority share the transfers and the detectors. The word is that of fair queueing (RFC 970).
public enum Flow: Hashable, Sendable {
    /// The jobs of one batch.
    case batch(BatchID)
    /// The jobs of the source of a name, whatever batches they came in.
    case source(String)
    /// Those jobs of the source of a name whose documents may be removed to make room.
    case evictable(source: String)
}

extension Job {
    /// The flow that the job belongs to.
    public var flow: Flow { options.flow(in: batch) }
}

extension JobOptions {
    /// The flow of a job with these options that came with a batch.
    public func flow(in batch: BatchID) -> Flow {
        guard let source else { return .batch(batch) }
        return isEvictable ? .evictable(source: source) : .source(source)
    }
}
