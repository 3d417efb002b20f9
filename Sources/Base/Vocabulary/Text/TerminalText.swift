extension Unicode.Scalar {
    /// True if this could control a terminal or hide text: control and format characters, line and paragraph
    /// separators.
    public var steersTerminal: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The character as escapes of JSON (RFC 8259 §7).
    public var jsonEscape: String {
        (UTF16.encode(self) ?? .init()).map { "\\u" + $0.hexText }.joined()
    }
}

extension String {
    /// The text with what could steer a terminal or hide text written as escapes of JSON, where they mean the
    /// same in a string (RFC 8259 §7): names may be strangers' words.
    ///
    /// - Parameter kept: a character that stays nevertheless, such as the end of a line of one's own.
    public func withoutSteering(keeping kept: Unicode.Scalar? = nil) -> String {
        guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.steersTerminal, scalar != kept {
                text += scalar.jsonEscape
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
