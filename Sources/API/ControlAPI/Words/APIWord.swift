/// A word from one of the API's lists, either one that this program knows or one from a newer daemon.
///
/// The reader decides what to do with an unknown word; its text is kept for people.
public enum APIWord<Known>: Hashable, Sendable
where Known: CaseIterable & Hashable & RawRepresentable & Sendable, Known.RawValue == String {
    /// A word on the list.
    case known(Known)
    /// A word that isn't on the list, as received.
    case unknown(String)

    /// Creates a word from its text.
    // Inlinable for pages of jobs: for a type that isn't known here, Swift looks up metadata each time.
    @inlinable public init(_ text: String) {
        self = Known(rawValue: text).map(Self.known) ?? .unknown(text)
    }

    /// The word as sent over the socket.
    public var text: String {
        switch self {
        case .known(let word): word.rawValue
        case .unknown(let text): text
        }
    }

    /// The word if it is on the list, otherwise nil.
    public var known: Known? {
        if case .known(let word) = self { word } else { nil }
    }

    /// Returns whether this is the given known word.
    public static func == (word: Self, known: Known) -> Bool { word.known == known }

    /// Returns whether this is anything but the given known word.
    public static func != (word: Self, known: Known) -> Bool { word.known != known }
}

extension APIWord: CustomStringConvertible {
    /// The word as sent over the socket.
    public var description: String { text }
}

extension APIWord: Codable {
    /// Reads any string.
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
    /// The word as a dictionary key, so that dictionaries of words are coded as objects.
    public var codingKey: any CodingKey { Key(stringValue: text) }

    /// Creates a word from a dictionary key.
    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
