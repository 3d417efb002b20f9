import FaceDetection
import Testing

@Suite struct PictureHeaderTests {
    private static func bytes(_ numbers: [UInt32]) -> [UInt8] {
        numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    private func read(_ numbers: [UInt32]) -> PictureHeader? {
        PictureHeader(bytes: Self.bytes(numbers), workingSize: 960)
    }

    @Test(
        "A header comes back as it was",
        arguments: [
            PictureHeader.pixels(
                width: 960,
                height: 1,
                fullWidth: 28_000,
                fullHeight: 30,
                orientation: 8,
                format: .heif
            ),
            .pixels(width: 1, height: 1, fullWidth: 1, fullHeight: 1, orientation: 1, format: .jpeg),
            .pixels(
                width: 2,
                height: 1,
                fullWidth: 2,
                fullHeight: 1,
                orientation: 1,
                format: .png,
                hasProfile: true
            ),
            .pixels(
                width: 2,
                height: 1,
                fullWidth: 2,
                fullHeight: 1,
                orientation: 1,
                format: .jpeg,
                isSubsampled: true
            ),
            .pixels(
                width: 2,
                height: 1,
                fullWidth: 2,
                fullHeight: 1,
                orientation: 1,
                format: .jpeg,
                isDamaged: true
            ),
            .reason(length: 2048),
        ]
    )
    func roundTrip(_ header: PictureHeader) {
        #expect(header.bytes.count == PictureHeader.length)
        #expect(PictureHeader(bytes: header.bytes, workingSize: 960) == header)
    }

    @Test(
        "What no decoder says that was asked for 960 pixels is not believed",
        arguments: [
            [1, 961, 1, 961, 1, 1, 1], [1, 1, 961, 1, 961, 1, 1], [1, 0, 1, 1, 1, 1, 1],
            [1, 1, 0, 1, 1, 1, 1],
            // Larger than it really is, and of more pixels than are ever decoded.
            [1, 10, 10, 9, 10, 1, 1], [1, 10, 10, 10, 9, 1, 1], [1, 10, 10, 40_000, 40_000, 1, 1],
            [1, .max, .max, .max, .max, 1, 1], [1, 10, 10, .max, .max, 1, 1],
            // Of an orientation or a format that there isn't.
            [1, 10, 10, 10, 10, 0, 1], [1, 10, 10, 10, 10, 9, 1], [1, 10, 10, 10, 10, .max, 1],
            [1, 10, 10, 10, 10, 1, 0], [1, 10, 10, 10, 10, 1, 11], [1, 10, 10, 10, 10, 1, .max],
            // No reason, one too long, one with a size; a kind that there isn't.
            [2, 0, 0, 0, 0, 0, 0], [2, 2049, 0, 0, 0, 0, 0], [2, .max, 0, 0, 0, 0, 0], [2, 5, 1, 0, 0, 0, 0],
            [2, 5, 0, 0, 0, 0, 1], [0, 1, 1, 1, 1, 1, 1], [4, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1],
            [1, 1, 1, 1, 1, 1, 1, 1],
        ] as [[UInt32]]
    )
    func nonsense(_ numbers: [UInt32]) {
        #expect(read(numbers) == nil)
    }

    @Test("A body of another length than the header's makes no picture")
    func body() throws {
        let header = try #require(read([1, 2, 2, 4, 4, 1, 1]))
        #expect(try Picture(header: header, body: Array(repeating: 7, count: 11)) == nil)
        #expect(try Picture(header: header, body: Array(repeating: 7, count: 13)) == nil)
        let picture = try #require(try Picture(header: header, body: Array(repeating: 7, count: 12)))
        #expect(picture.header == header)
    }

    @Test("A reason is one line, whatever a decoder says")
    func reason() throws {
        let words = "is\u{1B}[2J bad\r\n\u{202E}dab" + String(repeating: "x", count: 1000)
        let header = PictureHeader.reason(length: words.utf8.count)
        let failure = #expect(throws: UnreadablePicture.self) {
            _ = try Picture(header: header, body: Array(words.utf8))
        }
        let reason = try #require(failure?.description)
        #expect(reason.hasPrefix("is\u{FFFD}[2J bad\u{FFFD}\u{FFFD}\u{FFFD}dabxx"))
        #expect(reason.unicodeScalars.count == 500)
    }
}
