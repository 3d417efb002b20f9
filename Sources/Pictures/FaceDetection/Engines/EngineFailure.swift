/// The reason why an engine can't be used, as a sentence for the person who chose it.
public struct EngineFailure: Error, Hashable, CustomStringConvertible {
    /// The problem, and what to do about it.
    public let description: String

    init(_ description: String) { self.description = description }
}
