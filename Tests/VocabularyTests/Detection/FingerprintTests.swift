import Testing
import Vocabulary

struct FingerprintTests {
    @Test(
        "A fingerprint is written as 16 digits and read back",
        arguments: [1, 0xFF, 0x0123_4567_89AB_CDEF, UInt64.max]
    )
    func text(bits: UInt64) throws {
        let fingerprint = try #require(Fingerprint(bits: bits))
        #expect(fingerprint.hexadecimal.utf8.count == 16)
        #expect(Fingerprint(hexadecimal: fingerprint.hexadecimal) == fingerprint)
    }

    @Test(
        "Nothing else is read",
        arguments: [
            "", "0", "0000000000000000", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF",
            "+123456789abcdef",
            "-123456789abcdef", "0x23456789abcdef", " 123456789abcdef", "0123456789abcde\u{0}",
            "０123456789abcde",
            "0123456789abcd\u{301}",
        ]
    )
    func others(text: String) { #expect(Fingerprint(hexadecimal: text) == nil) }

    @Test("No bits are no fingerprint, and the distance is the number of bits that differ")
    func bits() throws {
        #expect(Fingerprint(bits: 0) == nil)
        let (one, other) = (try #require(Fingerprint(bits: 1)), try #require(Fingerprint(bits: .max)))
        #expect(one.distance(to: one) == 0 && one.distance(to: other) == 63)
    }
}
