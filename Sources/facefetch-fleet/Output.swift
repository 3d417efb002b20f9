import Glibc

/// The program's output.
enum Output {
    /// Prints a line on standard error.
    static func note(_ line: String) { write(line.withoutSteering + "\n", to: STDERR_FILENO) }

    /// Prints a line on standard output.
    static func line(_ line: String) { write(line.withoutSteering + "\n", to: STDOUT_FILENO) }

    private static func write(_ text: String, to file: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

extension String {
    /// The line with what could steer a terminal or hide text written as escapes of JSON, where they mean the
    /// same (RFC 8259 §7): names and errors in the queue may be strangers' words.
    fileprivate var withoutSteering: String {
        guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard scalar.steersTerminal else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar) ?? .init() {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// True if this could control a terminal or hide text; line ends are our own.
    fileprivate var steersTerminal: Bool {
        if self == "\n" { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
