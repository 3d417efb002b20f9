import Foundation
import LabelledPhotographs
import PaintedPictures
import TestTraits
import Testing

/// Tests of how engines are measured: what `make evaluate` prints.
@Suite(.ownThread) struct EvaluateTests {
    @Test("A label file of WIDER FACE is read: faces, those that needn't be counted, and pictures without")
    func widerFace() throws {
        let labels = try Labels(
            widerFace: """
                0--Parade/a.jpg
                3
                10 20 30 40 0 0 0 0 0 0 
                1 2 3 4 2 0 0 1 0 0 
                5 6 0 9 2 0 0 0 0 0 
                1--Empty/b.jpg
                0
                0 0 0 0 0 0 0 0 0 0 

                """
        )
        #expect(labels.images.map(\.file) == ["0--Parade/a.jpg", "1--Empty/b.jpg"])
        #expect(labels.images.map(\.faces) == [[[10, 20, 30, 40]], []])
        #expect(labels.images[0].ignored == [[1, 2, 3, 4]])
        for broken in ["a.jpg", "a.jpg\nmany", "a.jpg\n2\n1 2 3 4", "a.jpg\n1\n1 2 3"] {
            #expect(throws: LabelFailure.self) { try Labels(widerFace: broken) }
        }
    }

    @Test(
        "Each label is matched once, by the surest; sizes are those of labels; the curve goes down in confidence"
    )
    func score() {
        var score = Score(overlap: 0.5)
        func box(_ x: Int, _ side: Int, _ confidence: Double) -> Score.Box {
            Score.Box(x: x, y: 0, width: side, height: side, confidence: confidence)
        }
        score.add(
            [box(0, 30, 0.9), box(2, 30, 0.8), box(100, 50, 0.7), box(300, 10, 0.6)],
            labels: [[0, 0, 30, 30], [200, 0, 100, 100]],
            ignored: [[100, 0, 50, 50]]
        )
        #expect(score.all.right == 1 && score.all.found == 3 && score.all.labelled == 2)
        #expect(score.rates(of: .from20).found == 2 && score.rates(of: .from20).recall == 1)
        #expect(score.rates(of: .under20).precision == 0 && score.rates(of: .from80).recall == 0)
        #expect(score.curve.map(\.confidence) == [0.9, 0.8, 0.6])
        #expect(score.curve.map(\.precision) == [1, 0.5, 1.0 / 3] && score.curve.last?.recall == 0.5)
    }

    @Test("A folder in the form of WIDER FACE is measured in one command, and prints rates by size as JSON")
    func command() throws {
        let folder = try TemporaryFolder()
        let picture = PaintedPicture(faces: 2)
        _ = try folder.file("a.jpg", picture.jpeg())
        _ = try folder.file("b.jpg", PaintedPicture(faces: 0).jpeg())
        var label = "a.jpg\n3\n"
        for face in picture.faces { label += "\(face.x) \(face.y) \(face.side) \(face.side) 0 0 0 0 0 0\n" }
        // One that isn't there, and so isn't found.
        label += "500 300 15 15 0 0 0 0 0 0\nb.jpg\n0\n0 0 0 0 0 0 0 0 0 0\n"
        let file = try folder.file("labels.txt", Array(label.utf8))
        let run = try Detector(
            [folder.path, "--wider", file, "--json", "--small-faces", "auto"],
            program: "evaluate"
        )
        #expect(run.status == 0, "\(run.errors)")
        let line = try #require(run.lines.first)
        #expect(line["engine"] as? String == "haar" && (line["milliseconds"] as? Double ?? 0) > 0)
        #expect(line["false_faces"] as? Double == 0)
        let rates = try #require(line["rates"] as? [[String: Any]])
        #expect(rates.count == 10)
        let all = try #require(rates.first)
        #expect(all["overlap"] as? Double == 0.3 && all["size"] as? String == "all")
        #expect(all["labelled"] as? Int == 3 && all["found"] as? Int == 2 && all["precision"] as? Double == 1)
        let small = try #require(rates.first { $0["size"] as? String == "under 20" })
        #expect(small["recall"] as? Double == 0)
    }
}
