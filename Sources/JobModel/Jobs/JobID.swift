/// The number of a job, given by the store.
///
/// Ids count from 1 and are never reused.
public struct JobID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The integer that clients see.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The id as it appears in the event log, such as `j3`.
    public var description: String { "j\(rawValue)" }

    /// Orders earlier jobs first.
    public static func < (lhs: JobID, rhs: JobID) -> Bool { lhs.rawValue < rhs.rawValue }
}
