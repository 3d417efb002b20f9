import ControlAPI
import Foundation
import Vocabulary

/// Many pictures that wait to be looked at, beside a Python program that does the same looks as cheaply as it
/// can be done there: in one pass, shrunk while they are decoded, in a process a core.
///
/// What ours does besides is not left out: a process for every picture that is decoded, sandboxes, and a
/// durable result.
struct ShrinkingLoop: Measure {
    static let name = "pyvips"
    let plan: Plan

    private static let megapixels = [28, 1]
    private static let cores = ProcessInfo.processInfo.activeProcessorCount
    private static let cascade = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml"
    /// One look at each picture, and no thumbnails.
    private static let settings = [
        "FACEFETCH_DETECTION_ENGINE": "haar",
        "FACEFETCH_DETECTION_SMALL_FACES": "off",
        "FACEFETCH_GALLERY_CACHE": "0",
    ]

    /// The times that the cores have spent up to a moment, in seconds.
    private struct Times {
        /// By detectors, which wait for more pictures for a while, so that none has ended.
        let detectors: Double
        let daemon: Double
        let idle: Double

        init(of process: Facefetch) throws {
            detectors = ProcessTree(of: process.pid).processorSecondsOfChildren
            daemon = try process.processorSeconds()
            idle = try ProcessTree.idleSeconds()
        }

        /// Returns the share of what was there for detectors that they didn't use; what other programs took
        /// was not there.
        func idleShare(since before: Times) -> Double {
            let unused = daemon - before.daemon + idle - before.idle
            return unused / (unused + detectors - before.detectors)
        }
    }

    /// The result of looking at all pictures.
    private struct Look {
        var seconds: Double
        /// The most that all processes took, in MB.
        var memory: Double
        var faces: Double
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        guard Python.hasPyvips else {
            FileHandle.standardError.write(
                Data("bench: pyvips is left out, since it isn't installed: run make bench-deps\n".utf8)
            )
            return []
        }
        return try Self.megapixels.flatMap { try measure($0, workshop) }
    }

    private func measure(_ megapixels: Int, _ workshop: Workshop) throws -> [Row] {
        try workshop.withDirectory("pictures") { folder in
            let pictures = try Pictures(
                plan: plan,
                in: folder,
                megapixels: Double(megapixels),
                count: plan.looked
            )
            let names = try pictures.serve(workshop.server)
            defer { workshop.server.remove(names) }
            let urls = try workshop.write(names.map { workshop.server.url($0) }, to: "urls.txt")
            let files = try workshop.write(pictures.files, to: "files.txt")
            var idle: [Double] = []
            let pairs = try workshop.pairs(plan.runs) {
                try ours(workshop, urls, names.count, idle: &idle)
            } theirs: {
                try theirs(workshop, files)
            }
            let work = "\(names.count) JPEGs of \(megapixels) MP looked at, \(Self.cores) detectors"
            let peer = "pyvips and cv2, Python, a process a core"
            func row(
                _ figure: String,
                _ unit: String,
                _ value: KeyPath<Look, Double>,
                limit: Double?,
                aim: Double?
            ) -> Row {
                let pairs = pairs.map { (ours: $0.ours[keyPath: value], theirs: $0.theirs[keyPath: value]) }
                return Row(
                    work + figure,
                    against: peer,
                    unit: unit,
                    pairs: pairs,
                    limit: limit,
                    aim: aim
                )
            }
            return [
                row("", "s", \.seconds, limit: 1.05, aim: 1.0),
                row(": memory of all processes (PSS)", "MB", \.memory, limit: 1.0, aim: nil),
                // That both do the same.
                row(": faces found", "", \.faces, limit: nil, aim: nil),
                Row(
                    "\(work): share of the cores' time without a detector at work",
                    unit: "",
                    values: idle,
                    limit: 0.05,
                    aim: nil
                ),
            ]
        }
    }

    /// From the opening of the gate until the last result is durable.
    private func ours(
        _ workshop: Workshop,
        _ urls: String,
        _ count: Int,
        idle: inout [Double]
    ) throws -> Look {
        try workshop.withDirectory("ours") { directory in
            let daemon = try Facefetch(
                in: directory,
                concurrency: 4,
                detectors: Self.cores,
                settings: Self.settings
            )
            defer { daemon.kill(SIGTERM) }
            _ = try daemon.add(list: urls)
            try daemon.untilStored(count)
            let before = try Times(of: daemon)
            let memory = MemoryPeak(of: daemon.pid)
            let begun = Clock.seconds()
            try daemon.release()
            // Asking takes time of the daemon's and the detectors', too.
            try daemon.untilDone(count, asking: 100)
            let seconds = Clock.seconds() - begun
            idle.append(try Times(of: daemon).idleShare(since: before))
            return Look(seconds: seconds, memory: memory.end(), faces: try faces(daemon))
        }
    }

    /// By its own clock, which leaves out the start of Python.
    private func theirs(_ workshop: Workshop, _ files: String) throws -> Look {
        try workshop.withDirectory("theirs") { directory in
            let (lines, errors) = (directory + "/lines.jsonl", directory + "/errors.txt")
            let command = try Python.humblePyvipsCommand("pyvips_loop", [Self.cascade, files])
            let begun = Clock.seconds()
            let pid = try command.start(errors: errors, output: lines)
            let memory = MemoryPeak(of: pid)
            let end = Result { try command.end(of: pid, begun: begun) }
            let most = memory.end()
            let said = try String(contentsOfFile: errors, encoding: .utf8)
            guard case .success = end, let seconds = Double(said.split(separator: "\n").last ?? "") else {
                throw BenchError.failed("pyvips_loop.py says \(said)")
            }
            let text = try String(contentsOfFile: lines, encoding: .utf8)
            let faces = try text.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8)).faces.count
            }
            return Look(seconds: seconds, memory: most, faces: Double(faces.reduce(0, +)))
        }
    }

    /// The line that the loop prints of a file.
    private struct Line: Decodable {
        struct Face: Decodable {}
        let faces: [Face]
    }

    private func faces(_ daemon: Facefetch) throws -> Double {
        let connection = try daemon.connection()
        var (faces, after) = (0, "0")
        while true {
            let answer = try connection.get("/v1/jobs?limit=1000&after=\(after)")
            let page = try JSONDecoder().decode(PageJSON<JobJSON>.self, from: answer)
            faces += page.items.reduce(0) { $0 + ($1.detection?.faceCount ?? 0) }
            guard let next = page.next else { return Double(faces) }
            after = next
        }
    }
}
