import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

/// Tests of what the boxes of a JPEG XL or JPEG 2000 file may claim.
@Suite(.ownThread) struct BoxLengthsTests {
    private let folder: TemporaryFolder
    private static let gigabyte = [0x40, 0, 0, 0] as [UInt8]
    private static let painted = PaintedPicture(width: 64, height: 48, seed: 3)
    private static let sign: [UInt8] = [0x0D, 0x0A, 0x87, 0x0A]

    init() throws { folder = try TemporaryFolder() }

    private static func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let length = 8 + body.count
        return [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(name.utf8) + body
    }

    /// The data of a JPEG XL picture that libvips has written, without the boxes around them: libjxl 0.7 writes
    /// none, 0.11 some with a part of the data each, behind its number.
    private static func data(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.prefix(4) == [0, 0, 0, 12] else { return bytes }
        var rest = bytes[...]
        var data: [UInt8] = []
        while let box = ISOBox(rest, isWhole: true) {
            if box.type.spells("jxlc") { data += box.content }
            if box.type.spells("jxlp") { data += box.content.dropFirst(4) }
            rest = rest.dropFirst(box.length)
        }
        return data
    }

    private func reason(_ bytes: [UInt8]) throws -> String? {
        let path = try folder.file("claims", bytes)
        do throws(UnreadablePicture) {
            _ = try PictureDecoder().decode(path: path, workingSize: 960)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "A box that claims a gigabyte is refused before anything is decoded",
        arguments: ["xml ", "uuid", "Exif", "brob", "free", "jp2h", "jp2c", "jxlc", "jxlp", "jbrd"]
    )
    func claims(_ name: String) throws {
        for (sign, data) in [("JXL ", "jxlc"), ("jP  ", "jp2c")] where name != data {
            let head = Self.box(sign, Self.sign)
            let claim = Self.gigabyte + Array(name.utf8) + [0, 1, 2, 3]
            let reason = try reason(head + claim)
            #expect(
                reason == "is cut off or damaged: its part \(name) claims 1073741816 bytes, and 4 are left"
            )
            // With a length of eight bytes.
            let long = [0, 0, 0, 1] + Array(name.utf8) + [0, 0, 1, 0, 0, 0, 0, 0]
            let words = "claims 1099511627760 bytes, and 0 are left"
            #expect(try self.reason(head + long)?.hasSuffix(words) == true)
        }
    }

    @Test("Whole files pass, also with something behind their pictures, and so do those without boxes")
    func whole() throws {
        let (jxl, jp2) = (try Self.painted.jxl(), try Self.painted.jp2())
        let behind = Self.gigabyte + Array("xml ".utf8) + [1, 2]
        let head = Self.box("JXL ", Self.sign) + Self.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
        let data = Self.data(jxl)
        #expect(!data.isEmpty)
        for bytes in [
            jxl, data, jp2, head + Self.box("jxlc", data), head + Self.box("jxlc", data) + behind,
            head + Self.box("jxlp", [0, 0, 0, 0] + data.prefix(20))
                + Self.box("jxlp", [0x80, 0, 0, 1] + data.dropFirst(20)) + behind,
            // To the end of the file.
            head + [0, 0, 0, 0] + Array("jxlc".utf8) + data,
            // No box at all.
            head + Self.box("jxlc", data) + [1, 2, 3], head + Self.box("jxlc", data) + Array("the end".utf8),
        ] {
            #expect(try reason(bytes) == nil)
        }
    }
}
