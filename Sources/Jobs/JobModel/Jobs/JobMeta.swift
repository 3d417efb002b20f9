import Vocabulary

/// A JSON object that a client or a source attaches to a job, kept as it was given.
///
/// Its text has one spelling: no white space, the members of objects in the order of their keys' bytes,
/// strings with no more escapes than needed, numbers exactly as written.
public struct JobMeta: Hashable, Sendable {
    /// The object as JSON (RFC 8259).
    public let text: String

    /// The maximum length of the text in bytes.
    public static let maximumLength = 4096
    /// The maximum depth of nested arrays and objects, the object itself included.
    public static let maximumDepth = 8
    /// The maximum number of members of any object in it.
    public static let maximumKeys = 64

    /// The reason why an object can't be kept.
    public struct Refusal: Error, Hashable, Sendable {
        /// A sentence for people, to follow the name of the refused field.
        public var message: String
    }

    /// Reads an object in any spelling.
    public init(json: some Sequence<UInt8>) throws(Refusal) {
        let bytes = Array(json)
        var reader = MetaReader(bytes)
        let text = try reader.object()
        guard text.count <= Self.maximumLength else {
            throw Refusal(
                message: "it has \(text.count) bytes, and at most \(Self.maximumLength) are kept with a job"
            )
        }
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// Creates an object of strings.
    public init(_ members: some Sequence<(key: String, value: String)>) throws(Refusal) {
        var json: [UInt8] = []
        for (key, value) in members {
            json.append(UInt8(ascii: json.isEmpty ? "{" : ","))
            json += "\(Self.quoted(key)):\(Self.quoted(value))".utf8
        }
        try self.init(json: json.isEmpty ? [UInt8]("{}".utf8) : json + [UInt8(ascii: "}")])
    }

    /// Creates an object from the text of another one; nil for what can't be one, whatever became of it.
    ///
    /// - Parameter text: JSON, as the caller has made sure.
    public init?(stored text: String) {
        // In its one spelling there are no control characters, and so nothing behind a zero byte.
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.count <= Self.maximumLength,
            !text.utf8.contains(where: { $0 < 0x20 })
        else { return nil }
        self.text = text
    }

    /// Returns the text of a top-level member: a string's characters, or the JSON of any other value; nil if
    /// there is no such member.
    public func text(of key: String) -> String? {
        var reader = MetaReader(Array(text.utf8))
        return reader.member(quoted: Array(Self.quoted(key).utf8))
    }

    /// Returns a string as the text has it, in quotes.
    public static func quoted(_ text: String) -> String { JSONString.of(text) }
}
