/// The answer to a batch of which nothing was new, as sent over the control socket.
public struct EmptyBatchJSON: APIObject {
    /// Nil, since there is no batch.
    public var batch: BatchJSON?
    /// The number of items, all of which were known.
    public var known: Int

    enum CodingKeys: String, CodingKey {
        case batch, known
    }

    public init(known: Int) { self.known = known }

    /// The members, which are always present.
    public static let shape = Shape<EmptyBatchJSON>(
        "EmptyBatch",
        [
            Member(CodingKeys.batch, \.batch, about: "Always null: no batch was made."),
            Member(
                CodingKeys.known,
                \.known,
                .integer(from: 1),
                about: "How many items there were, all known."
            ),
        ]
    )
}
