import Testing

@testable import JobModel

@Suite("The extension of a picture")
struct PictureKindTests {
    private static func box(_ brands: String, length: UInt8? = nil) -> [UInt8] {
        [0, 0, 0, length ?? UInt8(brands.utf8.count + 8)] + Array("ftyp".utf8) + Array(brands.utf8)
    }

    private static let beginnings: [([UInt8], PictureKind?)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0xFF, 0xD8, 0xFF, 0xDB, 0], .jpeg), ([0xFF, 0xD8], nil),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0x89, 0x50, 0x4E, 0x47], nil),
        (Array("GIF87a".utf8), .gif), (Array("GIF89a;".utf8), .gif), (Array("GIF88a".utf8), nil),
        (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webp), (Array("RIFF\0\0\0\0WAVE".utf8), nil),
        ([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], .tiff), ([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8], .tiff),
        ([0x49, 0x49, 0x2B, 0, 8, 0, 0, 0], .tiff), ([0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0], .tiff),
        // Canon's CR2, and other RAW files with a header of their own.
        ([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], nil), (Array("IIU\0".utf8), nil),
        (Array("FUJIFILMCCD-RAW".utf8), nil),
        ([0xFF, 0x0A, 1], .jxl), ([0, 0, 0, 0x0C] + Array("JXL \r\n".utf8) + [0x87, 0x0A], .jxl),
        ([0, 0, 0, 0x0C] + Array("jP  \r\n".utf8) + [0x87, 0x0A], .jp2), ([0xFF, 0x4F, 0xFF, 0x51], .jp2),
        (Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0], .bmp),
        (Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0, 54, 0, 0, 0, 41, 0, 0, 0], nil),
        (Array("BMW builds cars, and this is a text".utf8), nil),
        (box("avif\0\0\0\0mif1"), .avif), (box("avis\0\0\0\0"), .avif), (box("heic\0\0\0\0mif1heic"), .heic),
        (box("mif1\0\0\0\0miafavif"), .avif), (box("mif1\0\0\0\0mif1heic"), .heic),
        (box("mif1\0\0\0\0"), .heic),
        // Films, Canon's CR3, and a box that says it is longer than there are bytes.
        (box("isom\0\0\0\0avc1"), nil), (box("crx \0\0\0\0isom"), nil),
        (box("mif1\0\0\0\0avif", length: 200), .avif),
        (box("mif1", length: 12), nil), (box("", length: 8), nil), ([0, 0, 0, 20] + Array("ftyp".utf8), nil),
        ([], nil), ([0], nil), (Array("<!DOCTYPE html>".utf8), nil), (Array("%PDF-1.7".utf8), nil),
    ]

    @Test("follows its first bytes", arguments: beginnings.indices)
    func beginning(index: Int) {
        let (bytes, kind) = Self.beginnings[index]
        #expect(PictureKind(firstBytes: bytes) == kind)
        #expect(PictureKind(firstBytes: bytes + Array(repeating: 0, count: 5000)) == kind)
    }

    @Test(
        "takes the place of that of another kind, of a script or a page, and is added to anything else",
        arguments: [
            ("a.jpg", .jpeg, "a.jpg"), ("a.JPG", .jpeg, "a.JPG"), ("a.jpeg", .jpeg, "a.jpeg"),
            ("a.jpe", .jpeg, "a.jpe"), ("a.jfif", .jpeg, "a.jfif"), ("a.MPO", .jpeg, "a.MPO"),
            ("a.png", .jpeg, "a.jpg"), ("a.jpg", .png, "a.png"), ("a.JPEG", .webp, "a.webp"),
            ("a.tif", .tiff, "a.tif"), ("a.tiff", .tiff, "a.tiff"), ("a.NEF", .tiff, "a.NEF"),
            ("a.dng", .tiff, "a.dng"), ("a.cr2", .tiff, "a.cr2"), ("a.svs", .tiff, "a.svs"),
            ("a.jpg", .tiff, "a.tif"), ("a.php", .jpeg, "a.jpg"), ("a.aspx", .gif, "a.gif"),
            ("a.do", .bmp, "a.bmp"),
            ("a.cgi", .avif, "a.avif"), ("a.jsp", .heic, "a.heic"), ("a.html", .jxl, "a.jxl"),
            ("a.htm", .jp2, "a.jp2"),
            ("a.heif", .heic, "a.heif"), ("a.j2k", .jp2, "a.j2k"), ("a.ashx", .jpeg, "a.ashx.jpg"),
            ("a", .jpeg, "a.jpg"), ("v1.5", .png, "v1.5.png"), ("a.", .gif, "a.gif"),
            ("a.bin", .jpeg, "a.bin.jpg"),
            ("a.jpg:large", .jpeg, "a.jpg:large.jpg"), ("php", .jpeg, "php.jpg"),
            ("a (2).php", .jpeg, "a (2).jpg"),
            ("ü.php", .jpeg, "ü.jpg"),
        ] as [(String, PictureKind, String)]
    )
    func adjusted(name: String, kind: PictureKind, adjusted: String) {
        #expect(DocumentName.adjusted(name, to: kind) == adjusted)
        #expect(DocumentName.adjusted(adjusted, to: kind) == adjusted)
    }

    @Test("stays where extensions are kept, and where the content is no picture")
    func kept() {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        #expect(DocumentTraits().name("a.php", firstBytes: jpeg) == "a.jpg")
        #expect(DocumentTraits(adjustsExtension: false).name("a.php", firstBytes: jpeg) == "a.php")
        #expect(DocumentTraits().name("a.php", firstBytes: Array("<html>".utf8)) == "a.php")
    }

    @Test("is one of those that fit, and takes the place of all that don't")
    func endings() {
        for kind in PictureKind.allCases {
            #expect(kind.endings.contains(kind.ending))
            #expect(PictureKind.replaced.isSuperset(of: kind.endings))
            for other in PictureKind.allCases where other != kind {
                #expect(kind.endings.isDisjoint(with: other.endings), "\(kind) and \(other)")
            }
        }
    }
}
