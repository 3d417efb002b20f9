import Vocabulary

extension [UInt8] {
    /// Adds text.
    mutating func add(_ text: String) { append(contentsOf: text.utf8) }

    /// Adds text from the program itself.
    mutating func add(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Adds an integer.
    mutating func add(_ number: some BinaryInteger) {
        guard let number = Int64(exactly: number) else { return add(String(number)) }
        if number < 0 { append(UInt8(ascii: "-")) }
        let digits = number.magnitude
        var unit: UInt64 = 1
        while digits / unit >= 10 { unit *= 10 }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(digits / unit % 10))
            unit /= 10
        }
    }

    /// Adds a fraction from 0.000000 to 1.000000, whatever the locale; both numbers are given doubled.
    ///
    /// Six decimals are a hundredth of a pixel in a picture that is 10,000 pixels wide.
    mutating func add(_ part: Int, twice whole: Int) {
        addDecimal(Double(part) / Double(2 * whole), places: 6)
    }

    /// Adds a number with a fixed number of decimals, whatever the locale.
    mutating func addDecimal(_ number: Double, places: Int) {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        // Infinities, NaN and numbers that are too large become 0.
        let scaled = (number * scale).rounded()
        guard let whole = Int64(exactly: scaled) else { return append(UInt8(ascii: "0")) }
        if whole < 0 { append(UInt8(ascii: "-")) }
        let digits = String(whole.magnitude)
        let padded = String(repeating: "0", count: Swift.max(0, places + 1 - digits.utf8.count)) + digits
        append(contentsOf: padded.utf8.dropLast(places))
        append(UInt8(ascii: "."))
        append(contentsOf: padded.utf8.suffix(places))
    }

    /// Adds a number in JSON; 0 for infinities and NaN, which JSON doesn't have (RFC 8259 §6).
    mutating func addNumber(_ number: Double) {
        guard number.isFinite else { return append(UInt8(ascii: "0")) }
        if let whole = Int64(exactly: number) { add(whole) } else { add(String(number)) }
    }

    /// Adds a string in JSON, with its quotes (RFC 8259 §7).
    mutating func addJSON(_ text: String) { JSONString.append(text, to: &self, .byNumber) }

    /// Adds a string in JSON, or null.
    mutating func addJSON(_ text: String?) {
        if let text { addJSON(text) } else { add("null" as StaticString) }
    }
}
