/// The reason why an engine can't be used, as a sentence for the person who chose it.
public struct EngineFailure: Error, Hashable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}
