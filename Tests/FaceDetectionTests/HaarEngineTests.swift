import FaceDetection
import PaintedPictures
import TestTraits
import Testing

@Suite(.ownThread) struct HaarEngineTests {
    @Test(
        "All three frontal cascades find the painted faces where they are",
        arguments: ["alt", "alt2", "default"]
    )
    func cascades(_ cascade: String) throws {
        var settings = HaarSettings()
        settings.cascade = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_\(cascade).xml"
        let detector = FaceDetector(engine: try HaarEngine(settings: settings))
        let folder = try TemporaryFolder()
        for count in 0...4 {
            let picture = PaintedPicture(faces: count, seed: UInt64(count))
            let path = try folder.file("\(count).jpg", picture.jpeg())
            let detection = detector.look(at: path)
            #expect(detection.finds(picture.faces), "\(cascade), \(count) faces: \(detection)")
        }
    }
}
