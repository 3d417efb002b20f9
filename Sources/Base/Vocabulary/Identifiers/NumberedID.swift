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
