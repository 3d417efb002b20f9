import Digests
import Testing
import Vocabulary

@Suite("HMAC with SHA-256")
struct HMACTests {
    private static func bytes(_ value: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: value, count: count)
    }

    @Test(
        "The examples of RFC 4231 have the codes that it gives",
        arguments: [
            (
                bytes(0x0B, 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                bytes(0xAA, 20), bytes(0xDD, 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), bytes(0xCD, 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                bytes(0xAA, 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                bytes(0xAA, 131),
                Array(
                    ("This is a test using a larger than block-size key and a larger than block-size data. "
                        + "The key needs to be hashed before being used by the HMAC algorithm.").utf8
                ),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ] as [([UInt8], [UInt8], String)]
    )
    func examples(_ key: [UInt8], _ message: [UInt8], _ code: String) {
        #expect(HMAC.code(of: message, key: key).hexText == code)
    }

    @Test("The fifth example, of which only the first half is given")
    func truncated() {
        let code = HMAC.code(of: Array("Test With Truncation".utf8), key: Self.bytes(0x0C, 20))
        #expect(code.prefix(16).hexText == "a3b6167473100ee06e0c796c2955552b")
    }

    @Test("An empty message under an empty key has a code, too, which is that of a key of zeros")
    func empty() {
        let code = HMAC.code(of: [], key: [])
        #expect(code.hexText == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(HMAC.code(of: [], key: [0]) == code)
    }
}
