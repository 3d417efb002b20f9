import Vocabulary

extension JSONScanner {
    /// Returns the contents of a string with its escapes resolved (RFC 8259 §7).
    func unescaped(_ range: Range<Int>) throws(NoJob) -> String {
        var text: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                index += 1
                continue
            }
            guard index + 1 < range.upperBound else { throw NoJob() }
            index += 2
            switch bytes[index - 1] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "u"):
                var units = [try unit(at: index, before: range.upperBound)]
                index += 4
                if UTF16.isLeadSurrogate(units[0]), index + 6 <= range.upperBound,
                    bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
                {
                    units.append(try unit(at: index + 2, before: range.upperBound))
                    index += 6
                }
                // A surrogate without its other half becomes U+FFFD.
                text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            case let escaped: text.append(escaped)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func unit(at index: Int, before end: Int) throws(NoJob) -> UInt16 {
        guard index + 4 <= end, let unit = bytes[index..<index + 4].hexNumber else { throw NoJob() }
        return UInt16(unit)
    }
}
