import FoundationEssentials

/// A value as one line of JSON, in the API's own shape.
enum JSONLine {
    /// The line, its keys in alphabetical order so that two runs read alike.
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Control characters are escaped by JSON itself.
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
