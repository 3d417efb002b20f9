import Testing
import Vocabulary

@Suite("Hexadecimal")
struct HexTextTests {
    @Test("bytes have two lower-case digits each")
    func bytes() {
        #expect([UInt8]().hexText == "")
        #expect(([0x00, 0x0F, 0xA0, 0xFF] as [UInt8]).hexText == "000fa0ff")
    }

    @Test("numbers keep their leading zeros")
    func numbers() {
        #expect(UInt16(0x1F).hexText == "001f")
        #expect(UInt64(0).hexText == "0000000000000000")
        #expect(UInt64.max.hexText == "ffffffffffffffff")
    }

    @Test("digits of either case have a value, and nothing else has")
    func values() {
        let digits = (UInt8.min...UInt8.max).filter { $0.hexValue != nil }
        #expect(String(decoding: digits, as: UTF8.self) == "0123456789ABCDEFabcdef")
        #expect(UInt8(ascii: "9").hexValue == 9)
        #expect(UInt8(ascii: "a").hexValue == 10 && UInt8(ascii: "F").hexValue == 15)
    }

    @Test(
        "a text of so many digits, and of nothing else",
        arguments: [
            ("", 0, true), ("0aF9", 4, true), ("0aF", 4, false), ("0aF91", 4, false), ("0aG9", 4, false),
        ]
    )
    func whole(text: String, count: Int, isHex: Bool) { #expect(text.utf8.isHex(count: count) == isHex) }

    @Test(
        "a number of nothing but digits, of 32 bits",
        arguments: [
            ("41", 0x41), ("00000000000aF", 0xAF), ("ffffffff", 0xFFFF_FFFF), ("100000000", nil), ("", nil),
            ("+41", nil), ("-1", nil), ("0x41", nil), ("4 1", nil),
        ] as [(String, UInt32?)]
    )
    func number(text: String, number: UInt32?) { #expect(text.utf8.hexNumber == number) }
}
