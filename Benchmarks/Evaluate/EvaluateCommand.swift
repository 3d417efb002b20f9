import ArgumentParser
import FaceDetection
import Foundation
import LabelledPhotographs
import Vocabulary

/// Measures the engines on labelled photographs.
@main
struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measures the face engines on labelled photographs.",
        discussion: """
            The folder holds photographs and labels.json: {"images":[{"file":…,"faces":[[x,y,w,h],…]}]},
            or those of WIDER FACE, with its label file in --wider (folder: WIDER_val/images, file:
            wider_face_split/wider_face_val_bbx_gt.txt). For each engine and setting a line of rates for all
            faces and one for each size of face, at two overlaps (intersection over union) from which a box
            is on its face. Times are of the processor, per picture, decoding included.
            """
    )

    @Argument(help: "The folder of photographs.")
    var photos: String

    @Option(help: "The label file of WIDER FACE.", completion: .file())
    var wider: String?

    @Option(help: "A network for yunet; may be given more than once.", completion: .file())
    var model: [String] = []

    @Option(help: "When to look again for small faces: off, auto, always; may be given more than once.")
    var smallFaces: [String] = ["off", "auto"]

    @Flag(help: "Leave haar out.")
    var withoutHaar = false

    @Option(help: "Look at each picture this often and take the median time.")
    var rounds = 1

    @Option(
        help: "Draw the curves of precision over recall into this PNG, with gnuplot.",
        completion: .file()
    )
    var curve: String?

    @Flag(help: "Print a line of JSON for each engine and setting.")
    var json = false

    @Flag(help: "Also try other settings of haar.")
    var sweep = false

    func run() throws {
        let labels =
            try wider.map { try Labels(widerFace: String(contentsOfFile: $0, encoding: .utf8)) }
            ?? Labels(folder: photos)
        let modes = try smallFaces.map { word in
            guard let mode = SmallFaces(rawValue: word) else {
                throw ValidationError("--small-faces is \(word); give off, auto or always")
            }
            return mode
        }
        var engines: [any FaceEngine] = withoutHaar ? [] : [try HaarEngine()]
        engines += try model.map { try YuNetEngine(settings: YuNetSettings(model: $0)) }
        if sweep { engines += try Self.variants() }
        var measured: [Measurement] = []
        for engine in engines {
            for mode in modes {
                let detector = FaceDetector(engine: engine, smallFaces: mode)
                let measurement = try Measurement(detector, labels, folder: photos, rounds: rounds)
                print(json ? try measurement.json() : measurement.table)
                measured.append(measurement)
            }
        }
        if let curve { try Curves(measured).draw(to: curve) }
    }

    /// haar with other settings.
    private static func variants() throws -> [any FaceEngine] {
        var engines: [any FaceEngine] = []
        for cascade in ["alt", "alt2", "default"] {
            for size in [640, 960, 1280] {
                for neighbours in [2, 4, 6] {
                    var settings = HaarSettings()
                    settings.cascade = settings.cascade.replacing("_alt.xml", with: "_\(cascade).xml")
                    settings.workingSize = size
                    settings.neighbours = neighbours
                    engines.append(try HaarEngine(settings: settings))
                }
            }
        }
        return engines
    }
}
