/// A document that a detector is asked to look at.
public struct DetectorRequest: Codable, Hashable, Sendable {
    /// Comes back with the answer: a number that can't be guessed, so that nobody answers before being asked.
    public var id: Int64
    /// The document's absolute path.
    public var path: String
    /// The engine that is to look, one of the greeting's; nil for its first.
    public var engine: String?

    /// Asks for the faces in a document.
    public init(id: Int64, path: String, engine: String? = nil) {
        self.id = id
        self.path = path
        self.engine = engine
    }
}
