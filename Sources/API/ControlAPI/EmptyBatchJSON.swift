/// The answer to a batch of which nothing was new, as sent over the control socket.
public struct EmptyBatchJSON: APIObject {
    /// Nil, since there is no batch.
    public var batch: BatchJSON?
    /// The number of items, all of which were known.
    public var known: Int

    public init(known: Int) { self.known = known }

    public static let shape = Shape<EmptyBatchJSON>("EmptyBatch", CodingKeys.self) {
        $0.member(.batch, \.batch) { "Always null: no batch was made." }
        $0.member(.known, \.known, .integer(from: 1)) { "How many items there were, all known." }
    }
}
