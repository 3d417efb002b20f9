import Vocabulary

/// Splits what a child of some kind writes into what it says.
///
/// It says only what can be read. Whether that is believed, others decide.
protocol ChildSpeech: Sendable {
    /// Something that it has said.
    associatedtype Message: Sendable

    /// Adds bytes that have arrived.
    mutating func append(_ bytes: some Sequence<UInt8>)

    /// Returns the next message; nil if more bytes have to arrive first.
    ///
    /// - Throws: ``Misbehaviour``, after which nothing more can be read.
    mutating func next() throws(Misbehaviour) -> Message?
}

/// Something that no honest child says; nothing more from this one can be believed.
struct Misbehaviour: Error, Hashable, Sendable, CustomStringConvertible {
    /// The child's misdeed, as part of a sentence.
    let description: String

    /// Creates a misbehaviour from a part of a sentence, of which no more than its beginning is kept.
    init(_ description: String) { self.description = description.limited(toBytes: 500) }

    /// Creates it from what can't be read.
    init(_ error: FrameError) { self.init(error.description) }
}
