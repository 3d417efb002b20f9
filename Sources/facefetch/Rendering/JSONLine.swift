import ControlAPI

/// A value as one line of JSON, in the API's own shape.
enum JSONLine {
    /// The line, its keys in alphabetical order so that two runs read alike.
    static func text(_ value: some APIObject) -> String {
        escape(String(decoding: value.json, as: UTF8.self))
    }

    /// With characters that steer terminals as escapes (RFC 8259 §7).
    ///
    /// JSON itself asks for that only below U+0020. They can stand in strings alone.
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
