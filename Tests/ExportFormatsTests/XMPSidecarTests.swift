import Testing

@testable import ExportFormats

@Suite("XMP sidecars")
struct XMPSidecarTests {
    private static func sidecar(_ faces: [String], orientation: Int = 6) throws -> [UInt8]? {
        XMPSidecar.text(try #require(try Sample.picture(faces, orientation: orientation, in: .stored).1))
    }

    @Test("three vocabularies have the face of a turned picture, of the pixels in the file")
    func hasThree() throws {
        let text = try #require(try Self.sidecar([Sample.face(10, 20, 30, 40)])).text
        // In the file it is 300 × 400, and the face at 20, 360, of 40 × 30.
        #expect(text.contains(#"tiff:Orientation="6""#))
        #expect(
            text.contains(#"<mwg-rs:AppliedToDimensions stDim:w="300" stDim:h="400" stDim:unit="pixel"/>"#)
        )
        #expect(
            text.contains(
                #"stArea:x="0.133333" stArea:y="0.937500" stArea:w="0.133333" stArea:h="0.075000""#
            )
        )
        #expect(text.contains(#"MPReg:Rectangle="0.066667, 0.900000, 0.133333, 0.075000""#))
        #expect(
            text.contains(
                #"Iptc4xmpExt:rbX="0.066667" Iptc4xmpExt:rbY="0.900000" Iptc4xmpExt:rbW="0.133333""#
            )
        )
    }

    @Test("a picture without faces has none")
    func none() throws {
        #expect(try Self.sidecar([]) == nil)
    }

    @Test("ours is known until a byte of it is changed, and nobody else's ever")
    func seal() throws {
        let bytes = try #require(try Self.sidecar([Sample.face(10, 20, 30, 40)]))
        #expect(XMPSidecar.isOurs(bytes))
        #expect(!XMPSidecar.isOurs([]) && !XMPSidecar.isOurs(Array("<x:xmpmeta/>".utf8)))
        #expect(!XMPSidecar.isOurs(bytes + [0x0A]) && !XMPSidecar.isOurs(Array(bytes.dropLast())))
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[index] ^= 1
            #expect(!XMPSidecar.isOurs(changed))
        }
    }

    @Test("Regions in a picture are found wherever a piece ends, and nothing else is taken for them")
    func regions() {
        let name = Array("..http://ns.microsoft.com/photo/1.2/t/RegionInfo#..".utf8)
        for cut in 0...name.count {
            var search = RegionSearch()
            let pieces = [name[..<cut], name[cut...]].map { search.finds($0) }
            #expect(pieces.contains(true))
        }
        for size in [1, 3, 40] {
            var search = RegionSearch()
            var isFound = false
            for start in stride(from: 0, to: name.count, by: size) {
                isFound = search.finds(name[start..<min(start + size, name.count)]) || isFound
            }
            #expect(isFound)
        }
        var search = RegionSearch()
        let isFound = search.finds(Array("http://ns.adobe.com/xap/1.0/ ImageRegion".utf8)[...])
        #expect(!isFound)
    }

    /// The beginning of a segment in which XMP goes on (XMP Specification Part 3, §1.1.3.1).
    private static let continuation =
        [0xFF, 0xE1, 0xFF, 0xFE] + Array("http://ns.adobe.com/xmp/extension/".utf8) + [0]
        + [UInt8](repeating: 0x41, count: 32) + [0, 1, 0, 0, 0, 0, 0xFE, 0xB0]

    @Test("Regions are found where XMP is cut in the middle of their name, in pieces of any length")
    func cutRegions() {
        let name = Array("http://www.metadataworkinggroup.com/schemas/regions/".utf8)
        let before = [UInt8](repeating: 0x20, count: 300)
        for cut in 1..<name.count {
            let bytes = before + name[..<cut] + Self.continuation + name[cut...] + before
            for size in [1, 100, 311, 1000] {
                var search = RegionSearch()
                var isFound = false
                for start in stride(from: 0, to: bytes.count, by: size) where !isFound {
                    isFound = search.finds(bytes[start..<min(start + size, bytes.count)])
                }
                #expect(isFound, "cut at \(cut), in pieces of \(size)")
            }
        }
        // Two parts that make no name, and a cut at either end of the file, are nothing.
        for bytes in [
            before + name[..<9] + Self.continuation + name[8...], Self.continuation + name.dropFirst(),
            name.dropLast() + Self.continuation, Self.continuation,
        ] {
            var search = RegionSearch()
            let isFound = search.finds(bytes[...])
            #expect(!isFound)
        }
    }

    @Test("XMP that is compressed or in another encoding is taken for one with regions")
    func hiddenRegions() {
        let wide: [[UInt8]] = ["<ImageRegion>"].map { $0.utf8.reduce(into: []) { $0 += [0, $1] } }
        let narrow = ["iTXtXML:com.adobe.xmp\u{0}\u{1}\u{0}\u{0}x", "\u{0}!brobxml x"].map { Array($0.utf8) }
        for bytes in wide + narrow + wide.map({ Array($0.dropFirst()) + [0] }) {
            var search = RegionSearch()
            let isFound = search.finds(bytes[...])
            #expect(isFound, "\(bytes)")
        }
        var search = RegionSearch()
        let isFound = search.finds(Array("XML:com.adobe.xmp\u{0}\u{0}".utf8)[...])
        #expect(!isFound)
    }
}
