import Foundation
import TestTraits
import Testing
import Vocabulary

@testable import FaceDetection

/// Photographs and networks aren't part of the project; where they are at hand, nothing may be found again.
@Suite(
    .enabled(if: SharedFiles.photos != nil, "no labelled photographs; set FACEFETCH_PHOTOS"),
    .enabled(if: !SharedFiles.models.isEmpty, "no model; set FACEFETCH_MODELS"),
    .ownThread
)
struct HiddenFaceTests {
    private static func detector(_ model: String) throws -> FaceDetector {
        FaceDetector(engine: try YuNetEngine(settings: YuNetSettings(model: model)), smallFaces: .always)
    }

    private static func photographs() throws -> [String] {
        let photos = try #require(SharedFiles.photos)
        return try FileManager.default.contentsOfDirectory(atPath: photos).sorted()
            .filter { !$0.hasSuffix(".json") }.map { photos + "/" + $0 }
    }

    /// Returns boxes that may be faces to YuNet in any look that there is.
    private static func found(
        by detector: FaceDetector,
        _ decode: (_ size: Int) throws -> Picture
    ) throws -> [EngineBox] {
        var found: [EngineBox] = []
        _ = try detector.eachLook(at: decode) { index, picture in
            found += try detector.engine.possibleFaces(in: picture, at: index)
                .filter(\.isMentioned).map(\.box)
            return []
        }
        return found
    }

    /// Returns boxes that are found in the file of a picture's copy, as whoever gets it decodes it.
    private static func foundAgain(
        _ picture: Picture,
        _ style: RedactionStyle,
        known: [Face] = [],
        by detector: FaceDetector
    ) throws -> [EngineBox] {
        let copy = try RedactedPicture.hidingFaces(of: picture, known: known, style: style, by: detector).copy
        let folder = try TemporaryFolder()
        let file = try folder.file("copy", PlainCopy(copy.picture).bytes)
        return try found(by: detector) { try PictureDecoder().decode(path: file, workingSize: $0) }
    }

    @Test(
        "In photographs whose faces are hidden, YuNet finds none, however low its threshold",
        arguments: RedactionStyle.allCases
    )
    func photographs(style: RedactionStyle) throws {
        let decoder = PictureDecoder()
        // Colours take longer, and have a crowd of these to show themselves in as well.
        let models = style == .solid ? SharedFiles.models : Array(SharedFiles.models.prefix(1))
        for (number, model) in models.enumerated() {
            let detector = try Self.detector(model)
            let size = style == .solid && number == 0 ? 1280 : 500
            for file in try Self.photographs() {
                let picture = try decoder.decode(path: file, workingSize: size)
                #expect(try !Self.found(by: detector) { try picture.shrunk(to: $0) }.isEmpty, "\(file)")
                // As the daemon has found them, and with nothing known.
                let known = number == 0 ? try detector.look { try picture.shrunk(to: $0) }.faces : []
                let again = try Self.foundAgain(picture, style, known: known, by: detector)
                #expect(again == [], "\(file) \(model) \(again)")
            }
        }
    }

    @Test("Nor in a crowd, whatever hides its faces", arguments: RedactionStyle.allCases)
    func crowd(style: RedactionStyle) throws {
        let detector = try Self.detector(try #require(SharedFiles.models.first))
        let decoder = PictureDecoder()
        let (side, columns) = (220, 4)
        var pixels = [UInt8](repeating: 90, count: side * columns * side * columns * 3)
        let photographs = try Self.photographs()
        for place in 0..<columns * columns {
            let file = photographs[place % photographs.count]
            let size = place.isMultiple(of: 3) ? side : side / 2
            let picture = try decoder.decode(path: file, workingSize: size)
            for row in 0..<picture.height {
                let start = ((place / columns * side + row) * side * columns + place % columns * side) * 3
                let line = picture.pixels[row * picture.width * 3..<(row + 1) * picture.width * 3]
                pixels.replaceSubrange(start..<start + line.count, with: line)
            }
        }
        let crowd = Picture(
            pixels: pixels,
            width: side * columns,
            height: side * columns,
            fullWidth: side * columns,
            fullHeight: side * columns,
            orientation: 1,
            format: .jpeg
        )
        #expect(try Self.found(by: detector) { try crowd.shrunk(to: $0) }.count > 15)
        #expect(try Self.foundAgain(crowd, style, by: detector) == [])
    }

    @Test("Aligned faces have their eyes, nose and mouth where the template has them")
    func aligned() throws {
        let detector = try Self.detector(try #require(SharedFiles.models.first))
        let decoder = PictureDecoder()
        var faces = 0
        for file in try Self.photographs() where !file.hasSuffix("dogs.jpg") {
            let picture = try decoder.decode(path: file, workingSize: 1280)
            let seen = try detector.look { try picture.shrunk(to: $0) }
            for face in seen.faces where face.width > 60 {
                let aligned = try #require(FaceCrop.align(face, from: picture))
                let again = try detector.engine.candidates(in: aligned).first
                guard let landmarks = again?.landmarks else { continue }
                faces += 1
                // The eyes, to within a twentieth: not all faces have the proportions of the template.
                for (place, target) in zip(landmarks, FaceAlignment.template).prefix(2) {
                    #expect(abs(place.x - target.x) < 5.6 && abs(place.y - target.y) < 5.6, "\(file)")
                }
            }
        }
        #expect(faces >= 8)
    }
}
