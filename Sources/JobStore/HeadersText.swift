import JobCore

/// A job's own header fields in one column: a line each, as HTTP/1.1 would send it.
enum HeadersText {
    /// Nil where there are none.
    static func encode(_ headers: [RequestHeader]) -> String? {
        // No name holds a colon, and no value a line break: RequestHeader sees to that.
        headers.isEmpty ? nil : headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
    }

    /// Fields that can't be sent any more, by the rules of this version, are left out.
    static func decode(_ text: String) -> [RequestHeader] {
        text.split(separator: "\n").compactMap { line in
            // By scalars: an accent that follows the colon would make one character with it.
            let scalars = line.unicodeScalars
            guard let colon = scalars.firstIndex(of: ":") else { return nil }
            let value = String(line[scalars.index(after: colon)...])
            return try? RequestHeader(name: String(line[..<colon]), value: value)
        }
    }
}
