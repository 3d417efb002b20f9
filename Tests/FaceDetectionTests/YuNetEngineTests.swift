import FaceDetection
import PaintedPictures
import TestTraits
import Testing

@Suite(.ownThread) struct YuNetEngineTests {
    @Test("A model of another content is refused, by its checksum")
    func anotherModel() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("model.onnx", Array("not a network".utf8))
        #expect(throws: EngineFailure.self) { try YuNetEngine(settings: YuNetSettings(model: path)) }
    }

    @Test("A model that isn't there is refused")
    func noModel() throws {
        #expect(throws: EngineFailure.self) { try YuNetEngine(settings: YuNetSettings(model: "/none.onnx")) }
    }

    @Test(
        "Faces of any size have one box each, and confidences go from 0 to 1",
        .enabled(if: SharedFiles.model != nil, "no model; set FACEFETCH_MODELS")
    )
    func faces() throws {
        let model = try #require(SharedFiles.model)
        let engine = try YuNetEngine(settings: YuNetSettings(model: model))
        #expect(engine.parameters.contains("8f2383e4dd3c"))
        let detector = FaceDetector(engine: engine)
        let folder = try TemporaryFolder()
        for picture in [
            PaintedPicture(faces: 0), PaintedPicture(faces: 3),
            PaintedPicture(width: 2000, height: 1000, faces: [PaintedFace(x: 900, y: 400, side: 200)]),
            // A face that fills most of the picture.
            PaintedPicture(width: 800, height: 800, faces: [PaintedFace(x: 150, y: 130, side: 500)]),
        ] {
            let detection = detector.look(at: try folder.file("a.jpg", picture.jpeg()))
            #expect(detection.finds(picture.faces, overlap: 0.25), "\(detection)")
            #expect(detection.faces?.allSatisfy { (0...1).contains($0.confidence) } == true)
        }
    }

    @Test(
        "The command line and the sandbox carry yunet as well",
        .enabled(if: SharedFiles.model != nil, "no model; set FACEFETCH_MODELS")
    )
    func commandLine() throws {
        let model = try #require(SharedFiles.model)
        let folder = try TemporaryFolder()
        let picture = try folder.file("a.jpg", PaintedPicture(faces: 2).jpeg())
        let run = try Detector(["--engine", "yunet", "--model", model, picture])
        #expect(run.lines.first?["face_count"] as? Int == 2, "\(run.output)\(run.errors)")
        #expect(run.lines.first?["engine"] as? String == "yunet")
    }
}
