import ControlAPI

/// Formats a value as a line of JSON in the API's own shape.
enum JSONLine {
    /// Returns the line, with keys in alphabetical order so that two runs look alike.
    static func text(_ value: some APIObject) -> String {
        escape(String(decoding: value.json, as: UTF8.self))
    }

    /// Escapes characters that control terminals (RFC 8259 §7).
    ///
    /// JSON itself only requires that below U+0020. Such characters can only occur in strings.
    private static func escape(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: \.steersTerminal) else { return json }
        var escaped = ""
        for scalar in json.unicodeScalars {
            guard scalar.steersTerminal else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar) ?? .init() {
                let digits = String(unit, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return escaped
    }
}
