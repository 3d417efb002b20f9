/// What jobs came with: a batch that somebody posted, or a source.
///
/// Flows of one priority share the transfers and the detectors. The word is that of fair queueing (RFC 970).
public enum Flow: Hashable, Sendable {
    /// The jobs of one batch.
    case batch(BatchID)
    /// The jobs of the source of a name, whatever batches they came in.
    case source(String)
}

extension Job {
    /// The flow that the job belongs to.
    public var flow: Flow { options.source.map(Flow.source) ?? .batch(batch) }
}
