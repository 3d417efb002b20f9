/// A hash of a document's content: equal for equal documents.
///
/// Different documents may share one by chance; one of them then waits needlessly while the other is
/// looked at. That happens to one of a billion, as few are looked at at once.
public typealias ContentMark = UInt32
