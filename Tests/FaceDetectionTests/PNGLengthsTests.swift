import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

/// Tests of what a PNG file may claim.
@Suite(.ownThread) struct PNGLengthsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ bytes: [UInt8]) throws(UnreadablePicture) {
        try PNGLengths.check(length: bytes.count) { offset, count in
            Array(bytes.dropFirst(offset).prefix(count))
        }
    }

    @Test(
        "A chunk that claims a gigabyte is refused before anybody gets memory for it",
        arguments: ["IDAT", "tEXt", "zTXt", "iTXt", "iCCP", "eXIf", "sPLT", "abCd"]
    )
    func claims(_ name: String) throws {
        let whole = try PaintedPicture(width: 8, height: 8).png()
        let bytes = Array(whole.prefix(33)) + [0x40, 0, 0, 0] + Array(name.utf8) + [1, 2, 3, 4]
        let path = try folder.file("claims", bytes)
        let error = #expect(throws: UnreadablePicture.self) {
            try PictureDecoder().decode(path: path, workingSize: 960)
        }
        #expect(
            error?.description
                == "is cut off or damaged: its part \(name) claims 1073741824 bytes, and 4 are left"
        )
    }

    @Test("Names that are no words are not repeated")
    func names() throws {
        let whole = try PaintedPicture(width: 8, height: 8).png()
        let bytes = Array(whole.prefix(33)) + [0x7F, 0, 0, 0, 0x1B, 0x5B, 0x0A, 0xFF]
        let error = #expect(throws: UnreadablePicture.self) { try check(bytes) }
        #expect(error?.description.contains("its part ?[?? claims") == true)
    }

    @Test("Whole files pass, also with something behind them, and with very many chunks")
    func whole() throws {
        let png = try PaintedPicture(width: 300, height: 200).png()
        try check(png)
        try check(png + [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5])
        let empty: [UInt8] = [0, 0, 0, 0] + Array("teSt".utf8) + [0, 0, 0, 0]
        var (asked, many) = (0, Array(png.prefix(33)))
        for _ in 0..<20_000 { many += empty }
        many += png.dropFirst(33)
        try PNGLengths.check(length: many.count) { offset, count in
            asked += 1
            return Array(many.dropFirst(offset).prefix(count))
        }
        #expect(asked < 70)
        try check([])
        try check(Array(png.prefix(10)))
    }
}
