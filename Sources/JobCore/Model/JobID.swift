/// Names a job: one URL on its way to one document and one detection result.
///
/// Ids are given by the store, from 1, and never used twice.
public struct JobID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The integer that clients see.
    public let rawValue: Int64

    /// Wraps an integer that the store has given.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// As it stands in a line of the event log: `j3`.
    public var description: String { "j\(rawValue)" }

    /// Earlier jobs come first.
    public static func < (lhs: JobID, rhs: JobID) -> Bool { lhs.rawValue < rhs.rawValue }
}
