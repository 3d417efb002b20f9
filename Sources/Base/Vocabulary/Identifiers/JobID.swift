/// The number of a job, given by the store, written as `j3`.
///
/// Ids count from 1 and are never reused.
public struct JobID: NumberedID {
    public static let letter: Character = "j"

    /// The integer that clients see.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public init(_ number: Int64) { rawValue = number }

    /// Orders earlier jobs first.
    public static func < (lhs: JobID, rhs: JobID) -> Bool { lhs.rawValue < rhs.rawValue }
}
