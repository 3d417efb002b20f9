import DetectorProtocol
import Foundation
import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

@Suite(.ownThread) struct YuNetEngineTests {
    @Test("A model of another content is refused, by its checksum")
    func anotherModel() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("model.onnx", Array("not a network".utf8))
        let failure = #expect(throws: EngineFailure.self) {
            try YuNetEngine(settings: YuNetSettings(model: path))
        }
        #expect(failure?.description.contains("allow unknown models") == true)
        // One that is allowed has to be a network all the same.
        var settings = YuNetSettings(model: path)
        settings.allowsUnknownModel = true
        #expect(throws: EngineFailure.self) { try YuNetEngine(settings: settings) }
    }

    @Test("A model that isn't there is refused")
    func noModel() throws {
        #expect(throws: EngineFailure.self) { try YuNetEngine(settings: YuNetSettings(model: "/none.onnx")) }
    }

    @Test(
        "Faces of any size have one box each, with landmarks in it, and confidences go from 0 to 1",
        .enabled(if: !SharedFiles.models.isEmpty, "no model; set FACEFETCH_MODELS"),
        arguments: SharedFiles.models
    )
    func faces(_ model: String) throws {
        let engine = try YuNetEngine(settings: YuNetSettings(model: model))
        #expect(FaceNetwork.all.contains { engine.parameters.contains($0.sha256.prefix(12)) })
        let detector = FaceDetector(engine: engine)
        let folder = try TemporaryFolder()
        for picture in [
            PaintedPicture(faces: 0), PaintedPicture(faces: 3),
            PaintedPicture(width: 2000, height: 1000, faces: [PaintedFace(x: 900, y: 400, side: 200)]),
            // A face that fills most of the picture.
            PaintedPicture(width: 800, height: 800, faces: [PaintedFace(x: 150, y: 130, side: 500)]),
            // Faces that are too small for the first look.
            PaintedPicture(
                width: 2400,
                height: 300,
                faces: [100, 700, 1400, 2200].map { PaintedFace(x: $0, y: $0 / 12, side: 36) }
            ),
        ] {
            let detection = detector.look(at: try folder.file("a.jpg", picture.jpeg()))
            #expect(detection.finds(picture.faces, overlap: 0.25), "\(detection)")
            for face in detection.faces ?? [] {
                #expect((0...1).contains(face.confidence))
                let (columns, rows) = (face.x...face.x + face.width, face.y...face.y + face.height)
                let places = try #require(face.landmarks)
                #expect(
                    places.count == 5 && places.allSatisfy { columns.contains($0.x) && rows.contains($0.y) }
                )
                // The right eye of who looks at us is left of the left one, and both are above the mouth.
                #expect(places[0].x < places[1].x && places[3].x < places[4].x)
                #expect(max(places[0].y, places[1].y) < min(places[3].y, places[4].y))
            }
        }
    }

    @Test(
        "A flat picture is seen as it is with black below it, each time",
        .enabled(if: SharedFiles.model != nil, "no model; set FACEFETCH_MODELS"),
        arguments: [320, 576, 640, 1280, 2560]
    )
    func flatPicture(width: Int) throws {
        let engine = try YuNetEngine(settings: YuNetSettings(model: try #require(SharedFiles.model)))
        let painted = PaintedPicture(width: width, height: 28, faces: [PaintedFace(x: 200, y: 3, side: 22)])
        func picture(height: Int) -> Picture {
            let black = [UInt8](repeating: 0, count: width * (height - painted.height) * 3)
            return Picture(pixels: painted.pixels + black, width: width, height: height)
        }
        let whole = try engine.remains(in: picture(height: 64))
        #expect(!whole.isEmpty)
        for height in [28, 32, 33] { #expect(try engine.remains(in: picture(height: height)) == whole) }
    }

    @Test(
        "Another network is refused with a sentence, and taken by who allows it, under its own name",
        .enabled(if: SharedFiles.model != nil, "no model; set FACEFETCH_MODELS")
    )
    func unknownModel() throws {
        let folder = try TemporaryFolder()
        // The same network, with a field that nobody knows (protobuf: number 100, empty).
        let bytes = try Data(contentsOf: URL(filePath: try #require(SharedFiles.model)))
        let model = try folder.file("mine.onnx", Array(bytes) + [0xA2, 0x06, 0])
        let picture = try folder.file("a.jpg", PaintedPicture(faces: 2).jpeg())
        let refused = try Detector(["--engine", "yunet", "--model", model, picture])
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("which is none of those known: get yunet_n_640_640.onnx"))
        let taken = try Detector(["--engine", "yunet", "--model", model, "--allow-unknown-model", picture])
        #expect(taken.lines.first?["face_count"] as? Int == 2, "\(taken.errors)")
        let known = try YuNetEngine(settings: YuNetSettings(model: try #require(SharedFiles.model)))
        var settings = YuNetSettings(model: model)
        settings.allowsUnknownModel = true
        // What it finds is shared with nobody else.
        #expect(try YuNetEngine(settings: settings).parameters != known.parameters)
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

    @Test(
        "A known network in the user's folder is found, and looks unless haar is asked for",
        .enabled(if: SharedFiles.model != nil, "no model; set FACEFETCH_MODELS")
    )
    func found() throws {
        let folder = try TemporaryFolder()
        let models = folder.path + "/facefetch/models"
        try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
        let environment = ["XDG_DATA_HOME": folder.path]
        let picture = try folder.file("a.jpg", PaintedPicture(faces: 2).jpeg())
        func engine(_ arguments: String...) throws -> String? {
            let run = try Detector(arguments + [picture], environment: environment)
            return run.lines.first?["engine"] as? String
        }
        try Data("no network".utf8).write(to: URL(filePath: models + "/face_detection_yunet_2023mar.onnx"))
        #expect(try engine() == "haar")
        try FileManager.default.copyItem(atPath: try #require(SharedFiles.model), toPath: models + "/any.bin")
        #expect(try engine() == "yunet")
        #expect(try engine("--engine", "yunet") == "yunet")
        #expect(try engine("--engine", "haar") == "haar")
    }
}
