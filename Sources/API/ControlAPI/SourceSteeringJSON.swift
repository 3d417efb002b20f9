/// The answer to removing a source.
public struct RemovedSourceJSON: APIObject {
    /// The source's name.
    public var removed: String

    public init(removed: String) { self.removed = removed }

    public static let shape = Shape<RemovedSourceJSON>("RemovedSource", CodingKeys.self) {
        $0.member(.removed, \.removed)
    }
}
