/// An identifier that is a number, given by the store, and is written with a letter before it: `j7`, `b3`.
public protocol NumberedID: RawRepresentable, Hashable, Comparable, Sendable, LosslessStringConvertible
where RawValue == Int64 {
    /// The letter that the number is written with.
    static var letter: Character { get }

    /// An identifier by its number.
    init(_ number: Int64)
}

extension NumberedID {
    /// The identifier as people and logs write it, such as `j7`.
    public var description: String { "\(Self.letter)\(rawValue)" }

    /// Reads an identifier as people write it, with its letter or without; nil where it is none.
    ///
    /// Identifiers count from 1.
    public init?(_ text: String) {
        let digits = text.first == Self.letter ? text.dropFirst() : text[...]
        guard let number = Int64(digits: digits), number > 0 else { return nil }
        self.init(number)
    }
}

/// The number of a job, given by the store, written as `j3`.
///
/// Ids count from 1 and are never reused.
public struct JobID: NumberedID {
    public static let letter: Character = "j"

    /// The integer that clients see.
    public let rawValue: Int64

    /// Creates the identifier with a number that is known to be one.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the identifier with a number.
    public init(_ number: Int64) { rawValue = number }

    /// Orders earlier jobs first.
    public static func < (lhs: JobID, rhs: JobID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The number of a batch, given by the store, written as `b1`.
public struct BatchID: NumberedID {
    public static let letter: Character = "b"

    /// The integer that clients see, from 1.
    public let rawValue: Int64

    /// Creates the identifier with a number that is known to be one.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the identifier with a number.
    public init(_ number: Int64) { rawValue = number }

    /// Orders earlier batches first.
    public static func < (lhs: BatchID, rhs: BatchID) -> Bool { lhs.rawValue < rhs.rawValue }
}
