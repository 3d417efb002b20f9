/// The answer to removing a source.
public struct RemovedSourceJSON: APIObject {
    /// The source's name.
    public var removed: String

    public init(removed: String) { self.removed = removed }

    /// The single member.
    public static let shape = Shape<RemovedSourceJSON>(
        "RemovedSource",
        [Member(CodingKeys.removed, \.removed)]
    )
}
