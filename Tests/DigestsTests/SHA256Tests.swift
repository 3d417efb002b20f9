import Digests
import Testing
import Vocabulary

@Suite("SHA-256")
struct SHA256Tests {
    private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test(
        "The examples of FIPS 180-4 have the digests that NIST gives",
        arguments: [
            ("", nothing),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                    + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ]
    )
    func examples(_ text: String, _ digest: String) {
        let bytes = Array(text.utf8)
        #expect(SHA256.hash(data: bytes).hexText == digest)
        #expect(SHA256.hash(data: bytes).count == SHA256.byteCount)
        var hash = SHA256()
        hash.update(data: bytes)
        #expect(hash.finalize().hexText == digest)
    }

    @Test(
        "A million letters have the digest that NIST gives, in pieces of any length",
        arguments: [1, 63, 9973]
    )
    func pieces(length: Int) {
        var hash = SHA256()
        var left = 1_000_000
        while left > 0 {
            let piece = [UInt8](repeating: UInt8(ascii: "a"), count: min(length, left))
            piece.withUnsafeBytes { hash.update(bufferPointer: $0) }
            left -= piece.count
        }
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(hash.finalize().hexText == digest)
    }

    @Test("Bytes are the same wherever they lie, also in pieces without any")
    func places() {
        let letters: [UInt8] = [0x78, 0x61, 0x62, 0x63, 0x78]
        let digest = SHA256.hash(data: Array("abc".utf8))
        #expect(SHA256.hash(data: letters[1...3]) == digest)
        #expect(SHA256.hash(data: "abc".utf8) == digest)
        // Not in one place.
        #expect(SHA256.hash(data: letters.lazy.filter { $0 != 0x78 }) == digest)
        var hash = SHA256()
        hash.update(bufferPointer: UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(hash.finalize().hexText == Self.nothing)
        hash.update(data: letters.lazy.filter { $0 != 0x78 })
        hash.update(data: [UInt8]())
        #expect(hash.finalize() == digest)
        #expect(
            SHA256.hash(bufferPointer: UnsafeRawBufferPointer(start: nil, count: 0)).hexText == Self.nothing
        )
    }

    @Test("Copies of a running hash go on by themselves, and so does one whose digest was taken")
    func values() {
        var one = SHA256()
        one.update(data: Array("a".utf8))
        var other = one
        other.update(data: Array("x".utf8))
        let kept = other
        one.update(data: Array("b".utf8))
        #expect(one.finalize() == SHA256.hash(data: Array("ab".utf8)))
        one.update(data: Array("c".utf8))
        other.update(data: Array("y".utf8))
        #expect(one.finalize() == SHA256.hash(data: Array("abc".utf8)))
        #expect(other.finalize() == SHA256.hash(data: Array("axy".utf8)))
        #expect(kept.finalize() == SHA256.hash(data: Array("ax".utf8)))
    }

    @Test("Many threads hash at once, also on from the same beginning")
    func threads() async {
        var begun = SHA256()
        begun.update(data: Array("begun ".utf8))
        let beginning = begun
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    var hash = beginning
                    for _ in 0..<50 { hash.update(data: "\(number)".utf8) }
                    return (number, hash.finalize())
                }
            }
            for await (number, digest) in group {
                let text = "begun " + String(repeating: "\(number)", count: 50)
                #expect(digest == SHA256.hash(data: text.utf8))
            }
        }
        #expect(begun.finalize() == SHA256.hash(data: "begun ".utf8))
    }
}
