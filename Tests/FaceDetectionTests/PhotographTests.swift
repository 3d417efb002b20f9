import FaceDetection
import Foundation
import TestTraits
import Testing

/// Real photographs aren't part of the project; where they are at hand, the defaults are held against them.
@Suite(.enabled(if: SharedFiles.photos != nil, "no labelled photographs; set FACEFETCH_PHOTOS"), .ownThread)
struct PhotographTests {
    private struct Labels: Decodable {
        struct Image: Decodable {
            let file: String
            let faces: [[Int]]
        }
        let images: [Image]
    }

    /// Right, found and labelled faces of all photographs.
    private func count(_ engine: any FaceEngine) throws -> (right: Int, found: Int, labelled: Int) {
        let photos = try #require(SharedFiles.photos)
        let data = try Data(contentsOf: URL(filePath: photos + "/labels.json"))
        let detector = FaceDetector(engine: engine)
        var (right, found, labelled) = (0, 0, 0)
        for image in try JSONDecoder().decode(Labels.self, from: data).images {
            let faces = try #require(detector.look(at: photos + "/" + image.file).faces)
            found += faces.count
            labelled += image.faces.count
            right += image.faces.filter { label in faces.contains { $0.overlap(label) >= 0.3 } }.count
        }
        return (right, found, labelled)
    }

    @Test("haar at its defaults: precision at least 0.95, recall at least 0.8, F1 at least 0.9")
    func haar() throws {
        let (right, found, labelled) = try count(HaarEngine())
        let (precision, recall) = (Double(right) / Double(found), Double(right) / Double(labelled))
        #expect(precision >= 0.95)
        #expect(recall >= 0.8)
        #expect(2 * precision * recall / (precision + recall) >= 0.9)
    }

    @Test(
        "yunet at its defaults: F1 at least 0.96",
        .enabled(if: SharedFiles.model != nil, "no model; set FACEFETCH_MODELS")
    )
    func yunet() throws {
        let model = try #require(SharedFiles.model)
        let (right, found, labelled) = try count(YuNetEngine(settings: YuNetSettings(model: model)))
        let (precision, recall) = (Double(right) / Double(found), Double(right) / Double(labelled))
        #expect(2 * precision * recall / (precision + recall) >= 0.96)
    }
}
