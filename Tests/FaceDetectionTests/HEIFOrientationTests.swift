import Glibc
import PaintedPictures
import TestSupport
import TestTraits
import Testing

@testable import FaceDetection

/// The properties by which HEIC and AVIF pictures are turned.
@Suite(.ownThread) struct HEIFOrientationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func orientation(_ bytes: [UInt8]) throws -> Int? {
        let descriptor = try PictureDecoder.open(path: try folder.file("picture", bytes))
        defer { close(descriptor) }
        return HEIFOrientation.read(from: descriptor)
    }

    @Test("A file that is cut off, or changed anywhere in its metadata, is read as one orientation or none")
    func damaged() throws {
        let picture = PaintedPicture(width: 64, height: 48, faces: [], seed: 5)
        let whole = try picture.avif(orientation: .transverse)
        #expect(try orientation(whole) == 7)
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<min(600, bytes.count), using: &generator)] =
                    .random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            }
            if let orientation = try orientation(bytes) { #expect((1...8).contains(orientation)) }
        }
        #expect(try orientation([]) == nil)
    }
}
