import FaceDetection
import Testing
import Vocabulary

@Suite struct PictureFormatTests {
    @Test(
        "A format is told by its first bytes",
        arguments: [
            ("\u{FF}\u{D8}\u{FF}\u{E0}", PictureFormat.jpeg), ("\u{89}PNG\r\n\u{1A}\n", .png),
            ("GIF87a", .gif), ("GIF89a", .gif), ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", .webp),
            ("II*\0", .tiff), ("MM\0*", .tiff), ("II+\0", .tiff), ("MM\0+", .tiff),
            ("\0\0\0\u{18}ftypheic", .heif), ("\0\0\0\u{18}ftypmif1", .heif), ("\0\0\0\u{1C}ftypavif", .heif),
            ("\u{FF}\n\u{FA}", .jxl), ("\0\0\0\u{C}JXL \r\n\u{87}\n", .jxl),
            ("\u{FF}\u{4F}\u{FF}\u{51}", .jp2), ("\0\0\0\u{C}jP  \r\n\u{87}\n", .jp2),
            ("BM\u{36}\0\0\0\0\0\0\0\u{36}\0\0\0\u{28}\0", .bmp),
            ("BM\u{1A}\0\0\0\0\0\0\0\u{1A}\0\0\0\u{C}\0", .bmp),
        ]
    )
    func known(_ bytes: String, _ format: PictureFormat) {
        #expect(PictureFormat(signature: bytes.unicodeScalars.map { UInt8($0.value) }) == format)
    }

    @Test(
        "What isn't on the list is no picture",
        arguments: [
            "", "\u{FF}\u{D8}", "<svg xmlns=", "<?xml version=", "%PDF-1.7", "BM6\0\0\0", "P6 1 1 255",
            "RIFF\0\0\0\0WAVEfmt ", "\0\0\0\u{18}ftypmp42", "\0\0\0\u{18}ftypisom", "#?RADIANCE", "GIF88a",
            "SIMPLE  =", "\0\0\0\u{0C}jP  \r\n",
        ]
    )
    func unknown(_ bytes: String) {
        #expect(
            PictureFormat(signature: bytes.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) == nil
        )
    }
}
