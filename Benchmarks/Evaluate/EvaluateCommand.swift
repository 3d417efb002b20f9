import ArgumentParser
import FaceDetection
import Foundation
import LabelledPhotographs

/// Measures the engines on labelled photographs: precision, recall, F1 and milliseconds a picture.
@main
struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measures the face engines on labelled photographs.",
        discussion: """
            The folder holds photographs and labels.json: {"images":[{"file":…,"faces":[[x,y,w,h],…]}]}.
            A face counts as found where a box overlaps it by at least \(Score.overlap) (intersection over union).
            """
    )

    @Argument(help: "The folder of photographs.")
    var photos: String

    @Option(help: "The network for yunet; without it only haar is measured.")
    var model: String?

    @Option(help: "Look at each picture this often and take the median time.")
    var rounds = 3

    @Flag(help: "Also try other settings of haar.")
    var sweep = false

    func run() throws {
        let labels = try Labels(folder: photos)
        print("engine  precision  recall     F1  ms a picture  parameters")
        try measure(HaarEngine(), labels)
        if let model { try measure(YuNetEngine(settings: YuNetSettings(model: model)), labels) }
        guard sweep else { return }
        for cascade in ["alt", "alt2", "default"] {
            for size in [640, 960, 1280] {
                for factor in [1.05, 1.1] {
                    for neighbours in [2, 4, 6] {
                        var settings = HaarSettings()
                        settings.cascade = settings.cascade.replacing("_alt.xml", with: "_\(cascade).xml")
                        settings.workingSize = size
                        settings.scaleFactor = factor
                        settings.neighbours = neighbours
                        try measure(HaarEngine(settings: settings), labels)
                    }
                }
            }
        }
    }

    private func measure(_ engine: any FaceEngine, _ labels: Labels) throws {
        let detector = FaceDetector(engine: engine)
        let clock = ContinuousClock()
        var score = Score()
        var milliseconds = 0.0
        for image in labels.images {
            var times: [Duration] = []
            var detection = Detection.unreadable(reason: "not looked at")
            for _ in 0..<max(1, rounds) {
                times.append(clock.measure { detection = detector.look(at: photos + "/" + image.file) })
            }
            guard case .counted(let faces, _, _) = detection else {
                throw ValidationError("\(image.file) can't be looked at: \(detection)")
            }
            let boxes = faces.sorted { $0.confidence > $1.confidence }
                .map { Score.Box(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
            score.add(boxes, labels: image.faces)
            milliseconds += times.sorted()[times.count / 2] / .milliseconds(1)
        }
        let columns = [
            engine.name.padding(toLength: 6, withPad: " ", startingAt: 0),
            String(format: "%11.3f", score.precision), String(format: "%8.3f", score.recall),
            String(format: "%7.3f", score.f1),
            String(format: "%14.1f", milliseconds / Double(max(1, labels.images.count))),
            "  " + engine.parameters,
        ]
        print(columns.joined())
    }
}
