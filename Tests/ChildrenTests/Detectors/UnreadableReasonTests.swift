import Testing

@testable import Children

/// Tests of what people are told of a picture that can't be read.
@Suite struct UnreadableReasonTests {
    @Test(
        "What facefetch says itself is passed on",
        arguments: [
            "is empty", "is not a regular file", "can't be opened, nor can its directory",
            "has 32768 x 32768 pixels; the limit is 1000000000",
            "is not a JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000, BMP or RAW picture",
            "is a RAW file without a preview of at least 640 pixels; the largest has 160 x 120",
            "begins like a heif picture but is not one", "begins like a jp2 picture but is not one",
        ]
    )
    func ours(_ words: String) {
        #expect(UnreadableReason.sentence(for: words) == words)
    }

    @Test(
        "What decoders say, and pictures through them, only chooses a sentence of ours",
        arguments: [
            (
                "VipsJpeg: Premature end of input file",
                "is cut off or damaged: its decoder came to the end too soon"
            ),
            (
                "tiff2vips: tiled separate planes not supported",
                "is of a kind that its decoder doesn't support"
            ),
            (
                "heif: Image size 30000x30000 exceeds the maximum image size",
                "is larger than its decoder allows"
            ),
            ("<b>visit example.com</b>", "is damaged, or of a kind that its decoder can't read"),
            ("is empty, says example.com", "is damaged, or of a kind that its decoder can't read"),
            (
                "has 1111111111111111111 x 2 pixels; the limit is 1000000000",
                "is damaged, or of a kind that its decoder can't read"
            ),
            (
                "is cut off or damaged: its part EVIL claims 1 bytes, and 0 are left",
                "is cut off or damaged: a part of it claims more bytes than are left"
            ),
            ("", "is damaged, or of a kind that its decoder can't read"),
        ]
    )
    func foreign(_ words: String, _ sentence: String) {
        #expect(UnreadableReason.sentence(for: words) == sentence)
        #expect(sentence.utf8.count <= 200)
    }
}
