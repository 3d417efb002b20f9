import CPictures
import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

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

    @Test("Faces that are too small for the first look are found by a larger one, in a process each")
    func smallFaces() throws {
        let picture = PaintedPicture(
            width: 1600,
            height: 300,
            faces: [100, 700, 1400].map { PaintedFace(x: $0, y: 100 + $0 / 20, side: 46) }
        )
        let folder = try TemporaryFolder()
        let path = try folder.file("a.jpg", picture.jpeg())
        let once = try Detector(["--working-size", "640", "--small-faces", "off", path]).lines.first
        #expect(once?["face_count"] as? Int == 0 && once?["looks"] as? [Int] == [640])
        // A sample of it is enough to see that a larger look pays.
        let twice = try Detector(["--working-size", "640", path]).lines.first
        #expect(twice?["face_count"] as? Int == 3 && twice?["looks"] as? [Int] == [640, 1600])
    }

    @Test(
        "A crowd is worth a look that is only a little larger, two faces aren't; always takes it",
        arguments: [2, 6]
    )
    func crowd(_ count: Int) throws {
        let picture = PaintedPicture(
            width: 1100,
            height: 300,
            faces: (0..<count).map { PaintedFace(x: 40 + 180 * $0, y: 60 + 20 * $0, side: 36) }
        )
        let folder = try TemporaryFolder()
        let path = try folder.file("a.jpg", picture.jpeg())
        let auto = try Detector(["--engine", "haar", "--small-faces", "auto", path]).lines.first
        #expect(auto?["looks"] as? [Int] == (count == 2 ? [960] : [960, 1100]))
        let always = try Detector(["--engine", "haar", "--small-faces", "always", path]).lines.first
        #expect(always?["looks"] as? [Int] == [960, 1100] && always?["face_count"] as? Int == count)
    }

    @Test(
        "finds, to the last bit, what OpenCV finds by itself",
        arguments: ["frontalface_alt", "frontalface_default", "frontalcatface", "frontalface_alt2"],
        [1.05, 1.1, 1.3]
    )
    func sameAsOpenCV(_ cascade: String, _ scaleFactor: Double) throws {
        let file = "/usr/share/opencv4/haarcascades/haarcascade_\(cascade).xml"
        let (ours, opencv) = (try HaarCascade(file: file), try HaarCascade(file: file))
        // Whatever two windows agree on, of any size, in pictures of even and of odd sides.
        var how = CFaceDetectHaarSettings(
            scale_factor: scaleFactor,
            neighbours: 1,
            minimum_face: 1,
            minimum_confidence: -1e9,
            enlarge_to: 0,
            leaves_it_to_opencv: false
        )
        var found = 0
        for (width, height) in [(500, 260), (333, 411), (640, 97), (64, 21), (19, 40)] {
            let places = [20, 190, 350, 480].filter { $0 + 80 < width }
            let faces = places.map { PaintedFace(x: $0, y: 5, side: 80) }
            let painted = PaintedPicture(width: width, height: height, faces: faces, seed: UInt64(height))
            let folder = try TemporaryFolder()
            let path = try folder.file("a.jpg", painted.jpeg())
            let picture = try PictureDecoder().decode(path: path, workingSize: 640)
            how.leaves_it_to_opencv = false
            let boxes = try ours.faces(in: picture, how)
            how.leaves_it_to_opencv = true
            #expect(try boxes == opencv.faces(in: picture, how))
            found += boxes.count
        }
        #expect(found > 0 || cascade == "frontalcatface")
    }

    @Test(
        "What only just enough windows agree on has to be surer; with another cascade, whose sums are others, not",
        arguments: [
            (4, 106.5, false), (4, 106.6, true), (5, 106, false), (5, 106.1, true), (6, 105.8, true),
            (20, 105.8, true),
        ]
    )
    func doubtful(_ windows: Int, _ mean: Double, _ isFace: Bool) throws {
        var box = EngineBox(x: 0, y: 0, width: 40, height: 40, confidence: 107)
        (box.windows, box.mean) = (windows, mean)
        #expect(try HaarEngine().isFace(box, at: 0) == isFace)
        var settings = HaarSettings()
        settings.cascade = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml"
        #expect(try HaarEngine(settings: settings).isFace(box, at: 0))
    }

    @Test("has to be surer in a larger look, in which more windows agree by chance")
    func laterLooks() throws {
        var settings = HaarSettings()
        let usual = try HaarEngine(settings: settings)
        #expect(usual.confidence(at: 0) < usual.confidence(at: 1))
        // Unless many agree.
        var box = EngineBox(x: 0, y: 0, width: 40, height: 40, confidence: 107)
        (box.windows, box.mean) = (5, 106.5)
        #expect(!usual.isFace(box, at: 1) && usual.isFace(box, at: 0))
        box.windows = 6
        #expect(usual.isFace(box, at: 1))
        settings.minimumConfidence = 200
        #expect(try HaarEngine(settings: settings).confidence(at: 1) == 200)
        // Other cascades sum up to something else.
        settings = HaarSettings()
        settings.cascade = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml"
        let other = try HaarEngine(settings: settings)
        #expect(other.confidence(at: 1) == other.confidence(at: 0))
    }
}
