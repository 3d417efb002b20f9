/// Names a batch: files that were asked for together.
public struct BatchID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The integer that clients see, from 1.
    public let rawValue: Int64

    /// Wraps an integer that the store has given.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// As it stands in a line of the event log: `b1`.
    public var description: String { "b\(rawValue)" }

    /// Earlier batches come first.
    public static func < (lhs: BatchID, rhs: BatchID) -> Bool { lhs.rawValue < rhs.rawValue }
}
