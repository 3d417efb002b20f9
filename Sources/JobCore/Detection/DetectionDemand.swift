/// Somebody's wish that a detector look at a document again, whatever is known already.
public struct DetectionDemand: Hashable, Sendable {
    /// The engine that is to look; nil for the one of the settings.
    public var engine: DetectionEngine?

    /// A demand for an engine, or for the one of the settings.
    public init(engine: DetectionEngine? = nil) { self.engine = engine }

    /// The demand as one word: `default` or the engine's name.
    public var word: String { engine?.rawValue ?? "default" }

    /// Reads a ``word``; nil where it is none.
    public init?(word: String) {
        if word == "default" {
            self.init()
        } else if let engine = DetectionEngine(rawValue: word) {
            self.init(engine: engine)
        } else {
            return nil
        }
    }
}
