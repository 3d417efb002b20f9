/// Rewrites JSON so that libjq can read it without loss.
///
/// The numbers of libjq 1.6 have only 53 bits, so larger integers become texts with all their digits. Other numbers
/// get the one spelling that all versions leave as it is. libjq also refuses a page with half a surrogate pair in a
/// text, so those become U+FFFD.
enum JSONPrepass {
    /// The integer up to which all are exact.
    private static let exact = Array("9007199254740992".utf8)

    /// Returns the rewritten text, nil if nothing has to change, and whether there are numbers whose spelling has an
    /// exponent, which versions don't agree on.
    static func changed(_ bytes: [UInt8]) -> (text: [UInt8]?, hasExponents: Bool) {
        bytes.withUnsafeBufferPointer { input in
            var output: [UInt8] = []
            var hasExponents = false
            var copied = 0
            var index = 0
            var isInText = false
            let count = input.count
            while index < count {
                let byte = input[index]
                if isInText {
                    if byte == 0x5C {
                        if let length = loneSurrogate(input, index) {
                            output += input[copied..<index]
                            output += Array("\\ufffd".utf8)
                            index += length
                            copied = index
                        } else {
                            index += isPair(input, index) ? 12 : 2
                        }
                        continue
                    }
                    if byte == 0x22 { isInText = false }
                    index += 1
                } else if byte == 0x22 {
                    isInText = true
                    index += 1
                } else if byte == 0x2D || (0x30...0x39).contains(byte) {
                    let end = numberEnd(input, index)
                    let number = input[index..<end]
                    if isWideInteger(number) {
                        output += input[copied..<index]
                        output.append(0x22)
                        output += number
                        output.append(0x22)
                        copied = end
                    } else if let other = NumberSpelling.respelled(number) {
                        output += input[copied..<index]
                        output += other
                        copied = end
                        hasExponents = hasExponents || NumberSpelling.hasExponent(other)
                    } else {
                        hasExponents = hasExponents || NumberSpelling.hasExponent(number)
                    }
                    index = end
                } else {
                    index += 1
                }
            }
            guard copied > 0 else { return (nil, hasExponents) }
            output += input[copied...]
            return (output, hasExponents)
        }
    }

    private static func numberEnd(_ input: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var end = start + 1
        while end < input.count {
            switch input[end] {
            case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: end += 1
            default: return end
            }
        }
        return end
    }

    private static func isWideInteger(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let digits = number.first == 0x2D ? number.dropFirst() : number
        guard digits.count >= exact.count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        return digits.count > exact.count
            || !digits.lexicographicallyPrecedes(exact) && !digits.elementsEqual(exact)
    }

    /// Returns the code unit of an escape `\uXXXX`; nil if there is none.
    private static func unit(_ input: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt16? {
        guard index + 6 <= input.count, input[index] == 0x5C, input[index + 1] == 0x75 else { return nil }
        var unit: UInt16 = 0
        for byte in input[index + 2..<index + 6] {
            switch byte {
            case 0x30...0x39: unit = unit << 4 | UInt16(byte - 0x30)
            case 0x41...0x46: unit = unit << 4 | UInt16(byte - 0x41 + 10)
            case 0x61...0x66: unit = unit << 4 | UInt16(byte - 0x61 + 10)
            default: return nil
            }
        }
        return unit
    }

    private static func isPair(_ input: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard let high = unit(input, index), (0xD800...0xDBFF).contains(high),
            let low = unit(input, index + 6)
        else {
            return false
        }
        return (0xDC00...0xDFFF).contains(low)
    }

    /// Returns the length of an escape that is half a surrogate pair; nil for any other.
    private static func loneSurrogate(_ input: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        guard let unit = unit(input, index), (0xD800...0xDFFF).contains(unit), !isPair(input, index) else {
            return nil
        }
        return 6
    }
}
