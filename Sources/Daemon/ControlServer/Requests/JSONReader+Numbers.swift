extension JSONReader {
    /// The most bytes in a number; programs write about 25 at most.
    static let maximumNumberLength = 400

    /// Reads a number; if its value isn't wanted, only its form is checked.
    mutating func number(isWanted: Bool) throws(Malformed) -> JSONValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let first = next
        try digits(start)
        if first == UInt8(ascii: "0"), position - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
            throw malformed("a number must not begin with zeros", at: start)
        }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try digits(start)
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits(start)
        }
        guard position - start <= Self.maximumNumberLength else {
            throw malformed("a number has more than \(Self.maximumNumberLength) characters", at: start)
        }
        guard isWanted else { return .integer(0) }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw malformed("a number is too large", at: start)
        }
        // 1.0 and 1e2 count as integers (JSON Schema 2020-12 §6.1.1).
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    private mutating func digits(_ start: Int) throws(Malformed) {
        guard let byte = next, byte.isDigit else { throw malformed("a number lacks digits", at: start) }
        while let byte = next, byte.isDigit { position += 1 }
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
