import Foundation
import Glibc
import LabelledPhotographs
import Vocabulary

/// Pictures made of labelled photographs, in a folder.
struct Pictures {
    let folder: String
    let labels: Labels

    /// Makes so many of them, the photographs in turn, all in one size after the other, each with a grain of its own.
    init(plan: Plan, in folder: String, megapixels: Double..., count: Int?) throws {
        self.folder = folder
        let photographs: Labels
        do {
            photographs = try Labels(folder: plan.photographs)
        } catch {
            throw BenchError.failed(
                "there are no labelled photographs in \(plan.photographs); set FACEFETCH_PHOTOS: \(error)"
            )
        }
        let count = count ?? photographs.images.count
        try Python.run(
            "enlarge",
            [plan.photographs, folder, megapixels.map { "\($0)" }.joined(separator: ","), "\(count)"]
        )
        labels = try Labels(folder: folder)
    }

    /// Lets a web server serve them, and says their names there; whoever does that removes them.
    func serve(_ server: WebServer) throws -> [String] {
        let names = labels.images.map(\.file)
        for name in names {
            try FileManager.default.createSymbolicLink(
                atPath: server.root + "/" + name,
                withDestinationPath: folder + "/" + name
            )
        }
        return names
    }

    var files: [String] { labels.images.map { folder + "/" + $0.file } }

    /// Returns the agreement of the faces in lines of JSON with the labels, as F1.
    func f1(of lines: String) throws -> Double {
        struct Line: Decodable {
            struct Face: Decodable {
                let x: Int
                let y: Int
                let width: Int
                let height: Int
                let confidence: Double?
            }
            let file: String
            let faces: [Face]
        }
        let text = try String(contentsOfFile: lines, encoding: .utf8)
        var found: [String: [Line.Face]] = [:]
        for line in text.split(separator: "\n") {
            let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            found[line.file] = line.faces.sorted { ($0.confidence ?? 0) > ($1.confidence ?? 0) }
        }
        var score = Score()
        for image in labels.images {
            guard let faces = found[folder + "/" + image.file] else {
                throw BenchError.failed("nobody looked at \(image.file)")
            }
            score.add(
                faces.map { Score.Box(x: $0.x, y: $0.y, width: $0.width, height: $0.height) },
                labels: image.faces
            )
        }
        return score.f1
    }
}

/// The scripts of `Benchmarks/Python`, by Debian's Python, which has cv2.
enum Python {
    static func command(_ script: String, _ arguments: [String]) throws(BenchError) -> Command {
        let path = "Benchmarks/Python/\(script).py"
        guard access(path, R_OK) == 0 else { throw .failed("\(path) isn't here: run make bench") }
        return try Command("/usr/bin/python3", [path] + arguments)
    }

    /// The Python that `scripts/install-pyvips` makes: the same one with pyvips.
    private static let withPyvips = ".build/pyvips/bin/python3"

    static var hasPyvips: Bool { access(withPyvips, X_OK) == 0 }

    /// A script for the Python with pyvips, as low in the system's esteem as the daemon's detectors are.
    static func humblePyvipsCommand(
        _ script: String,
        _ arguments: [String]
    ) throws(BenchError) -> Command {
        try Command("nice", ["-n", "10", withPyvips] + command(script, arguments).arguments)
    }

    static func run(_ script: String, _ arguments: [String]) throws(BenchError) {
        try command(script, arguments).run()
    }
}

/// The detector of the same build, called by hand.
enum Detector {
    /// Looks at files.
    static func command(_ files: [String]) throws(BenchError) -> Command {
        try Command(Facefetch.program("facefetch-detector"), files)
    }

    /// Looks at files, as low in the system's esteem as the daemon's own detectors are.
    static func humbleCommand(_ files: [String]) throws(BenchError) -> Command {
        try Command("nice", ["-n", "10", Facefetch.program("facefetch-detector")] + files)
    }
}
