import JobModel

/// A job's own header fields in one column, one line each as HTTP/1.1 would send them.
enum HeadersText {
    /// Returns the fields as text; nil if there are none.
    static func encode(_ headers: [RequestHeader]) -> String? {
        // Unambiguous, because RequestHeader allows no colon in names and no line break in values.
        headers.isEmpty ? nil : headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
    }

    /// Reads the fields, leaving out any that this version's rules no longer allow to be sent.
    static func decode(_ text: String) -> [RequestHeader] {
        text.split(separator: "\n").compactMap { line in
            // By scalars, since a combining accent after the colon would form a single character with
            // it.
            let scalars = line.unicodeScalars
            guard let colon = scalars.firstIndex(of: ":") else { return nil }
            let value = String(line[scalars.index(after: colon)...])
            return try? RequestHeader(name: String(line[..<colon]), value: value)
        }
    }
}
