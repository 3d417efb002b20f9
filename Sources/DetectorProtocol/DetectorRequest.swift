/// A request to look at a document.
public struct DetectorRequest: Codable, Hashable, Sendable {
    /// The id that the answer repeats: a number that can't be guessed, so that nobody can answer before
    /// being asked.
    public var id: Int64
    /// The document's absolute path.
    public var path: String
    /// The engine to use, one of the greeting's; nil for its first.
    public var engine: String?

    /// Creates a request.
    public init(id: Int64, path: String, engine: String? = nil) {
        self.id = id
        self.path = path
        self.engine = engine
    }
}
