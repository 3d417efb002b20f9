/// A word out of one of the API's lists: one that this program knows, or one that a newer daemon says.
///
/// Whoever reads it decides what becomes of a word that is unknown; its text is kept for people.
public enum APIWord<Known>: Hashable, Sendable
where Known: CaseIterable & Hashable & RawRepresentable & Sendable, Known.RawValue == String {
    /// A word of the list.
    case known(Known)
    /// A word that the list doesn't have, as it came.
    case unknown(String)

    /// The word that a text is.
    public init(_ text: String) {
        self = Known(rawValue: text).map(Self.known) ?? .unknown(text)
    }

    /// The word as it goes over the socket.
    public var text: String {
        switch self {
        case .known(let word): word.rawValue
        case .unknown(let text): text
        }
    }

    /// The word of the list; nil for one that is unknown.
    public var known: Known? {
        if case .known(let word) = self { word } else { nil }
    }

    /// Whether it is this word of the list.
    public static func == (word: Self, known: Known) -> Bool { word.known == known }

    /// Whether it is anything but this word of the list.
    public static func != (word: Self, known: Known) -> Bool { word.known != known }
}

extension APIWord: CustomStringConvertible {
    /// The word as it goes over the socket.
    public var description: String { text }
}

extension APIWord: Codable {
    /// Reads a string; any will do.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the word as a string.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

extension APIWord: CodingKeyRepresentable {
    /// The word as a key of an object, which is what a dictionary of words becomes.
    public var codingKey: any CodingKey { Key(stringValue: text) }

    /// The word that a key of an object is.
    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
