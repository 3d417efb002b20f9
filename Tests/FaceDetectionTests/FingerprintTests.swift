import PaintedPictures
import TestTraits
import Testing
import Vocabulary

@testable import FaceDetection

@Suite(.ownThread) struct FingerprintTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Pictures that differ from each other, each the same at each size.
    private func painted(_ number: Int, scale: Int = 2) -> PaintedPicture {
        let places = [
            [(40, 30, 120), (260, 60, 90)], [(150, 100, 140)],
            [(20, 150, 80), (140, 20, 70), (300, 120, 100)],
            [(300, 20, 60), (30, 30, 60)], [(10, 10, 200)],
        ][number]
        return PaintedPicture(
            width: 400 * scale,
            height: 300 * scale,
            faces: places.map { PaintedFace(x: $0.0 * scale, y: $0.1 * scale, side: $0.2 * scale) },
            seed: UInt64(number + 1)
        )
    }

    private func fingerprint(_ bytes: [UInt8], size: Int = 640) throws -> Fingerprint? {
        Fingerprint(try PictureDecoder().decode(path: folder.file("a", bytes), workingSize: size))
    }

    @Test("Copies in other formats, qualities and sizes differ in at most 6 bits, and other pictures in more")
    func copies() throws {
        var all: [Fingerprint] = []
        for number in 0..<5 {
            let picture = painted(number)
            let original = try #require(try fingerprint(try picture.png()))
            let copies = [
                try picture.jpeg(quality: 90), try picture.jpeg(quality: 50), try picture.webp(),
                try picture.webp(quality: 50), try picture.tiff(), try picture.gif(),
                try picture.jpeg(orientation: .needsClockwise), try picture.jpeg(progressive: true),
                try picture.png(colour: .deep), try picture.png(colour: .grey),
                try painted(number, scale: 1).jpeg(), try painted(number, scale: 4).jpeg(),
            ]
            for (place, copy) in copies.enumerated() {
                let other = try #require(try fingerprint(copy))
                #expect(original.distance(to: other) <= 6, "copy \(place) of \(number)")
            }
            for other in all { #expect(original.distance(to: other) > 6, "\(number)") }
            all.append(original)
        }
    }

    @Test("It is the same in each size in which an engine looks first, or nearly so")
    func sizes() throws {
        let bytes = try painted(0, scale: 4).jpeg()
        let original = try #require(try fingerprint(bytes))
        for size in [320, 480, 750, 960, 1600] {
            #expect(original.distance(to: try #require(try fingerprint(bytes, size: size))) <= 4, "\(size)")
        }
    }

    /// A picture of grey pixels.
    private func grey(_ width: Int, _ height: Int, _ value: (_ x: Int, _ y: Int) -> Int) -> Picture {
        let pixels = (0..<height).flatMap { y in
            (0..<width).flatMap { x in Array(repeating: UInt8(clamping: value(x, y)), count: 3) }
        }
        return Picture(
            pixels: pixels,
            width: width,
            height: height,
            fullWidth: width,
            fullHeight: height,
            orientation: 1,
            format: .png
        )
    }

    @Test(
        "A picture with nothing in it has none: of one colour, with grain, or with stripes in one direction"
    )
    func flat() {
        var random = Grain(state: 3)
        for value in [0, 1, 127, 255] { #expect(Fingerprint(grey(200, 100) { _, _ in value }) == nil) }
        #expect(Fingerprint(grey(640, 480) { _, _ in 128 + Int(random.next() % 5) }) == nil)
        #expect(Fingerprint(grey(320, 320) { x, _ in x / 2 }) == nil)
        #expect(Fingerprint(grey(1, 1) { _, _ in 9 }) == nil)
        #expect(Fingerprint(grey(3, 2) { x, y in 80 * x + 40 * y * y * (1 + x) }) != nil)
    }

    @Test("What it is of given pixels never changes: it is compared with those that are stored")
    func surface() throws {
        let pictures = [
            grey(32, 32) { x, y in (x * x + 3 * y * (32 - y) + x * y) % 256 },
            grey(97, 61) { x, y in (x - 40) * (y - 20) / 8 + 128 },
            grey(40, 200) { x, y in x * y % 251 },
        ]
        let told = pictures.map { Fingerprint($0)?.hexadecimal }
        #expect(told == Self.known)
    }

    private static let known: [String?] = ["1ba8950f7efc5301", "faafc0b588f481aa", "0001073f1f3f7e7c"]

    @Test("A cell is exactly the mean of what lies in it, whatever the picture's shape")
    func cells() throws {
        for (width, height) in [(32, 32), (64, 32), (33, 47), (5, 3), (640, 17), (200, 9000)] {
            var random = Grain(state: UInt64(width))
            let values = (0..<width * height).map { _ in Int(random.next() % 256) }
            let picture = grey(width, height) { x, y in values[y * width + x] }
            let cells = try #require(GreyCells(picture.pixels, width: width, height: height)).cells
            for (column, row) in [(0, 0), (31, 31), (7, 20), (16, 16)] {
                var sum = 0.0
                for y in 0..<height {
                    let down = overlap(row, y, of: height)
                    guard down > 0 else { continue }
                    for x in 0..<width {
                        sum += down * overlap(column, x, of: width) * Double(values[y * width + x])
                    }
                }
                let mean = 256 * sum / (Double(width * height) / 1024)
                #expect(
                    abs(Double(cells[row * 32 + column]) - mean) <= 1,
                    "\(width)×\(height) \(column) \(row)"
                )
            }
        }
    }

    private func overlap(_ cell: Int, _ pixel: Int, of length: Int) -> Double {
        let (begin, end) = (Double(cell * length) / 32, Double((cell + 1) * length) / 32)
        return max(0, min(end, Double(pixel + 1)) - max(begin, Double(pixel)))
    }

    @Test("The wrong number of pixels is no picture")
    func wrong() {
        #expect(GreyCells([1, 2, 3], width: 2, height: 1) == nil)
        #expect(GreyCells([], width: 0, height: 0) == nil)
    }

    @Test("By hand, a line has it")
    func line() throws {
        _ = try folder.file("a.jpg", try painted(0).jpeg())
        let lines = try Detector(["a.jpg"], in: folder.path).lines
        #expect((lines.first?["fingerprint"] as? String)?.count == 16)
    }
}

/// Numbers that look like chance, and are the same each time (Knuth's MMIX generator).
private struct Grain {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
