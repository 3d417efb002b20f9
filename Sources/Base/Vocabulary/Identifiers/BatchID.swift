/// The number of a batch, given by the store, written as `b1`.
public struct BatchID: NumberedID {
    public static let letter: Character = "b"

    /// The integer that clients see, from 1.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public init(_ number: Int64) { rawValue = number }

    /// Orders earlier batches first.
    public static func < (lhs: BatchID, rhs: BatchID) -> Bool { lhs.rawValue < rhs.rawValue }
}
