/// Splits what a child of some kind writes into what it says.
///
/// It says only what can be read. Whether that is believed, others decide.
public protocol ChildSpeech: Sendable {
    /// Something that it has said.
    associatedtype Message: Sendable

    /// Adds bytes that have arrived.
    mutating func append(_ bytes: some Sequence<UInt8>)

    /// Returns the next message; nil if more bytes have to arrive first.
    ///
    /// - Throws: ``Misbehaviour``, after which nothing more can be read.
    mutating func next() throws(Misbehaviour) -> Message?
}
