/// The number of a batch, given by the store.
public struct BatchID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The integer that clients see, from 1.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The id as it appears in the event log, such as `b1`.
    public var description: String { "b\(rawValue)" }

    /// Orders earlier batches first.
    public static func < (lhs: BatchID, rhs: BatchID) -> Bool { lhs.rawValue < rhs.rawValue }
}
