import Vocabulary

/// A person's request that a detector look at a document again, whatever is known already.
public struct DetectionDemand: Hashable, Sendable {
    /// The engine to use; nil for the one in the settings.
    public var engine: DetectionEngine?

    public init(engine: DetectionEngine? = nil) { self.engine = engine }

    /// The demand as a single word, for the store: `default` or the engine's name.
    public var word: String { engine?.rawValue ?? "default" }

    /// Reads a ``word``; nil if it isn't one.
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
