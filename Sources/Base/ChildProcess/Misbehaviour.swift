import ChildProtocol
import Vocabulary

/// Something that no honest child says; nothing more from this one can be believed.
public struct Misbehaviour: Error, Hashable, Sendable, CustomStringConvertible {
    /// The child's misdeed, as part of a sentence.
    public let description: String

    /// Creates a misbehaviour from a part of a sentence, of which no more than its beginning is kept.
    public init(_ description: String) { self.description = description.limited(toBytes: 500) }

    /// Creates it from what can't be read.
    public init(_ error: FrameError) { self.init(error.description) }
}
