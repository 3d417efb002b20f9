/// An alphabet of base64.
struct Base64: Sendable {
    private let characters: [UInt8]

    /// That of RFC 4648 §4.
    static let standard = Base64("+/")
    /// That for URLs and names of files (RFC 4648 §5).
    static let forURLs = Base64("-_")

    private init(_ last: String) {
        characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + last.utf8
    }

    /// Returns some of the characters that stand for bytes, all of whose bits have to be there.
    func encode(_ bytes: [UInt8], _ places: Range<Int>) -> [UInt8] {
        places.map { place in
            let (index, shift) = (6 * place / 8, 6 * place % 8)
            let next = index + 1 < bytes.count ? UInt16(bytes[index + 1]) : 0
            let pair = UInt16(bytes[index]) << 8 | next
            return characters[Int(pair >> UInt16(10 - shift)) & 0x3F]
        }
    }

    /// Returns whether a byte is a character of one of the alphabets; a plus may have been taken for a blank.
    static func has(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
