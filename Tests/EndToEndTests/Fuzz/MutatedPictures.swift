import PaintedPictures
import TestSupport

/// Pictures of every format, broken in ways that depend on a seed and a number alone.
struct MutatedPictures: Sendable {
    /// A good picture to begin with.
    struct Original: Sendable {
        var kind: String
        var bytes: [UInt8]
    }

    /// One good picture of each kind that the libraries here can write.
    let originals: [Original]
    private let seed: UInt64

    init(seed: UInt64) throws {
        self.seed = seed
        let picture = PaintedPicture(
            width: 300,
            height: 200,
            faces: [PaintedFace(x: 60, y: 40, side: 100)],
            seed: 3
        )
        var originals = try [
            Original(kind: "jpg", bytes: picture.jpeg()),
            Original(kind: "progressive.jpg", bytes: picture.jpeg(progressive: true)),
            Original(kind: "grey.jpg", bytes: picture.jpeg(colour: .grey)),
            Original(kind: "cmyk.jpg", bytes: picture.jpeg(colour: .cmyk)),
            Original(kind: "profiled.jpg", bytes: picture.jpeg(colour: .profiled)),
            Original(kind: "wide.jpg", bytes: picture.wideJPEG()),
            Original(kind: "turned.jpg", bytes: picture.jpeg(orientation: .transverse)),
            Original(kind: "png", bytes: picture.png()),
            Original(kind: "wide.png", bytes: picture.widePNG()),
            Original(kind: "interlaced.png", bytes: picture.png(interlaced: true)),
            Original(kind: "deep.png", bytes: picture.png(colour: .deepAlpha)),
            Original(
                kind: "turned.png",
                bytes: PNGChunks.withExif(orientation: .transverse, picture.png(orientation: .transverse))
            ),
            Original(kind: "webp", bytes: picture.webp()),
            Original(kind: "lossless.webp", bytes: picture.webp(lossless: true, colour: .alpha)),
            Original(kind: "gif", bytes: picture.gif()),
            Original(kind: "animated.gif", bytes: picture.gif(emptyFrames: 3)),
            Original(kind: "tif", bytes: picture.tiff()),
            Original(kind: "pages.tif", bytes: picture.tiff(colour: .deep, emptyPages: 2)),
            Original(kind: "cmyk.tif", bytes: picture.tiff(colour: .cmyk)),
        ]
        for kind in BitmapKind.allCases {
            originals.append(Original(kind: "\(kind).bmp", bytes: picture.bmp(kind)))
        }
        // What cameras and scanners make, which none of the libraries here writes.
        let small = PaintedPicture(width: 64, height: 48, seed: 4)
        let preview = try picture.jpeg()
        for kind in PaintedRaw.allCases {
            let large = try Self.large.plainJPEG()
            originals.append(
                Original(
                    kind: kind.rawValue,
                    bytes: kind.file(preview: large, width: 640, height: 426, first: small)
                )
            )
        }
        originals += [
            Original(kind: "planes.tif", bytes: PaintedTIFF.file([.planes(picture)])),
            Original(
                kind: "old.tif",
                bytes: PaintedTIFF.file([.oldJPEG(preview, width: 300, height: 200), .init(small, kind: 1)])
            ),
        ]
        if let jxl = try? picture.jxl() { originals.append(Original(kind: "jxl", bytes: jxl)) }
        if let lossless = try? picture.jxl(lossless: true) {
            originals.append(Original(kind: "lossless.jxl", bytes: lossless))
        }
        if let jp2 = try? picture.jp2() { originals.append(Original(kind: "jp2", bytes: jp2)) }
        if let tiles = try? picture.jp2(side: 64, lossless: true) {
            originals.append(Original(kind: "tiles.jp2", bytes: tiles))
        }
        // Where libheif has no encoder, there is none to break.
        if let heic = try? picture.heic() { originals.append(Original(kind: "heic", bytes: heic)) }
        if let avif = try? picture.avif() { originals.append(Original(kind: "avif", bytes: avif)) }
        self.originals = originals
    }

    /// As large as a preview has to be.
    private static let large = PaintedPicture(
        width: 640,
        height: 426,
        faces: [PaintedFace(x: 160, y: 90, side: 200)],
        seed: 6
    )

    /// The name of a picture: its number and what it was.
    func name(_ number: Int) -> String { "\(number).\(originals[number % originals.count].kind)" }

    /// A picture, always the same for the same seed and number.
    func bytes(_ number: Int) -> [UInt8] {
        let original = originals[number % originals.count]
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
        var bytes = original.bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            mutate(&bytes, using: &generator)
        }
        // Most broken PNGs would end at their first checksum.
        let isPNG = original.kind.hasSuffix("png")
        return isPNG && Bool.random(using: &generator) ? PNGChunks.withChecksums(bytes) : bytes
    }

    private func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        // Half of the time near the beginning, where headers and sizes are.
        let reach = Bool.random(using: &generator) ? min(bytes.count, 256) : bytes.count
        let place = Int.random(in: 0..<reach, using: &generator)
        let length = min(bytes.count - place, 1 << Int.random(in: 0...12, using: &generator))
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        case 2: overwrite(&bytes, at: place, using: &generator)
        case 3:
            for index in place..<place + length {
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
        case 4: bytes.removeSubrange(place..<place + length)
        case 5: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
        case 6: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &generator)...)
        default:
            // A piece of another picture, perhaps of another format.
            let other = originals.randomElement(using: &generator)?.bytes ?? []
            let from = Int.random(in: 0..<other.count, using: &generator)
            let end = min(other.count, from + length)
            bytes.replaceSubrange(place..<place + length, with: other[from..<end])
        }
    }

    /// A number such as sizes are made of, 2 or 4 bytes long, in either order.
    private func overwrite(_ bytes: inout [UInt8], at place: Int, using generator: inout SeededGenerator) {
        let values: [UInt32] = [
            0, 1, 2, 0x7F, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000,
            0xFFFF_FFFF,
        ]
        let value = values.randomElement(using: &generator) ?? 0
        let width = Bool.random(using: &generator) ? 2 : 4
        let isBig = Bool.random(using: &generator)
        for index in 0..<width where place + index < bytes.count {
            let shift = UInt32(8 * (isBig ? width - 1 - index : index))
            bytes[place + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }
}
