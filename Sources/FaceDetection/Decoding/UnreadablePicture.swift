/// Why a document can't be looked at, as a sentence for the person who has it.
public struct UnreadablePicture: Error, Hashable, CustomStringConvertible {
    /// What is wrong with the document.
    public let description: String

    init(_ description: String) { self.description = description }
}
