import DetectorProtocol
import JobModel

/// Says why a picture is unreadable, in words of ours.
///
/// A detector quotes what decoders say, and those quote pictures. So a sentence is passed on if it is one of ours
/// but for its numbers; what anybody else says only chooses one of them.
enum UnreadableReason {
    /// Returns the sentence for a detector's message.
    static func sentence(for message: String) -> String {
        let plain = withoutNumbers(message)
        if ours.contains(plain), message.utf8.count <= 200 { return message }
        for (beginning, sentence) in beginnings where message.hasPrefix(beginning) { return sentence }
        let words = message.lowercased()
        for (said, sentence) in meanings where said.contains(where: { words.contains($0) }) {
            return sentence
        }
        return "is damaged, or of a kind that its decoder can't read"
    }

    /// The text with a number sign for each number of a possible length.
    private static func withoutNumbers(_ text: String) -> String {
        var (plain, digits) = ("", 0)
        for scalar in text.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            digits = isDigit ? digits + 1 : 0
            if !isDigit { plain.unicodeScalars.append(scalar) }
            if digits == 1 { plain += "#" }
            // Nothing that is measured has so many.
            if digits > 12 { return "" }
        }
        return plain
    }

    /// Sentences of FaceDetection.
    private static let ours: Set<String> = Set(
        [
            "is empty", "is not a regular file", "was changed while it was looked at",
            "can't be mapped into memory", "takes more memory than there is",
            "takes more memory to decode than a picture may", "takes more time to decode than a picture may",
            "has # x # pixels; the limit is #",
            "is not a JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG #, BMP or RAW picture",
            "is an animation without a still picture, and those are not read",
            "is progressive or interlaced and would need # bytes of memory to decode; the limit is #",
            "is decoded as a whole and would need # bytes of memory to decode; the limit is #",
            "is of a format for which this machine's libvips has no loader",
            "is a BMP of a kind that nobody writes", "is a BMP that is cut off",
            "is a BMP of # x # pixels, more than its data can have",
            "is a BMP that would need # bytes of memory; the limit is #",
            "is a TIFF that is decoded as a whole and would need # bytes of memory; the limit is #",
            "is a TIFF of JPEG #s that can't be found in it",
            "is a RAW file of # bytes; the limit is #", "is a RAW file of a kind that LibRaw doesn't know",
            "is a RAW file without a preview of at least # pixels",
            "is a RAW file without a preview of at least # pixels; the largest has # x #",
            "is a RAW file whose preview is of no known kind", "has # colour bands instead of #",
            "is damaged; the decoder does not say where",
        ]
            + ["jpeg", "png", "webp", "gif", "tiff", "heif", "jxl", "jp#"].map {
                "begins like a \($0) picture but is not one"
            }
    )

    /// Beginnings of sentences of ours that go on with foreign words.
    private static let beginnings = [
        (
            "is cut off or damaged: its part ",
            "is cut off or damaged: a part of it claims more bytes than are left"
        ),
        (DetectorResponse.noDirectory, DetectionResult.unopenedDirectory),
        (DetectionResult.unopened, DetectionResult.unopened),
        ("can't be read", "can't be read from the disk"),
        ("is a RAW file that LibRaw can't read", "is a RAW file that LibRaw can't read"),
    ]

    /// Meanings of the words of decoders.
    private static let meanings = [
        (
            [
                "premature end", "end of file", "truncated", "end of image", "unexpected end", "read error",
                "bad seek",
            ],
            "is cut off or damaged: its decoder came to the end too soon"
        ),
        (["exceed", "too large", "too big", "memory"], "is larger than its decoder allows"),
        (
            ["not in a known format", "unsupported", "not supported", "not implemented", "no decod"],
            "is of a kind that its decoder doesn't support"
        ),
    ]
}
