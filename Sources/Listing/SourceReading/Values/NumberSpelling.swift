/// The spelling of numbers, which is part of keys and must stay the same whatever libjq is installed.
///
/// libjq 1.6 writes `1` and `1000` where 1.7 keeps the page's own `1.0` and `1E+3`. This is how 1.6 writes them: the
/// fewest digits that make the number, with an exponent if there are 16 or more zeros at the end, or four or more in
/// front.
enum NumberSpelling {
    static func text(_ number: Double) -> String {
        guard !number.isNaN else { return "null" }
        let bound = Double.greatestFiniteMagnitude
        let (digits, point) = digits(min(max(number, -bound), bound).magnitude)
        let sign = number.sign == .minus ? "-" : ""
        if point <= -4 || point > digits.count + 15 {
            let exponent = point - 1
            let (first, rest) = (digits.prefix(1), digits.dropFirst())
            let power = String(exponent.magnitude)
            return sign + first + (rest.isEmpty ? "" : "." + rest) + (exponent < 0 ? "e-" : "e+")
                + (power.count < 2 ? "0" : "") + power
        }
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count {
            return sign + digits + String(repeating: "0", count: point - digits.count)
        }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }

    /// Returns the digits of a number without zeros around them, and how many stand before the decimal point.
    private static func digits(_ number: Double) -> (digits: String, point: Int) {
        guard number != 0 else { return ("0", 1) }
        let parts = number.description.split(separator: "e")
        let sides = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = String(sides[0]) + (sides.count > 1 ? String(sides[1]) : "")
        var point = sides[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while digits.hasPrefix("0") {
            digits.removeFirst()
            point -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        return (digits, point)
    }

    /// Returns the spelling of a number as JSON has it; nil if it is that already, or can't be read.
    static func respelled(_ number: some Collection<UInt8>) -> [UInt8]? {
        guard !isUsual(number), let value = Double(String(decoding: number, as: UTF8.self)) else {
            return nil
        }
        let text = Array(text(value).utf8)
        return text.elementsEqual(number) ? nil : text
    }

    /// Returns whether a number of JSON has an exponent.
    static func hasExponent(_ number: some Collection<UInt8>) -> Bool {
        number.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// Returns whether a number is one of the many that are spelled as they should be: integers, and decimals of few
    /// digits without zeros at the end.
    private static func isUsual(_ number: some Collection<UInt8>) -> Bool {
        var (hasPoint, last) = (false, UInt8(0))
        for byte in number {
            if byte | 0x20 == UInt8(ascii: "e") { return false }
            if byte == UInt8(ascii: ".") { hasPoint = true }
            last = byte
        }
        if !hasPoint { return true }
        return number.count <= 16 && last != UInt8(ascii: "0") && last != UInt8(ascii: ".")
            && !number.drop { $0 == UInt8(ascii: "-") }.starts(with: "0.000".utf8)
    }
}
