import Foundation

/// Pictures as cameras make them: how fast faces are found in them, how well, and in how much memory.
struct FaceSpeed: Measure {
    static let name = "faces"
    let plan: Plan
    private static let megapixels = 28.0
    private static let cascade = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml"

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.withDirectory("pictures") { folder in
            let pictures = try Pictures(plan: plan, in: folder, megapixels: Self.megapixels, count: nil)
            let loops = try measureLoop(pictures, folder)
            let pairs = try measureTwo(workshop, pictures)
            let pools = try measurePool(workshop, pictures)
            let work = "\(pictures.files.count) JPEGs of \(Int(Self.megapixels)) megapixels"
            let loop = "cv2 on whole pictures, Python, one thread"
            return [
                Row("\(work): one detector", against: loop, pairs: loops.seconds, limit: 1 / 15.0, aim: nil),
                Row(
                    "\(work): F1 of the loop, \(loops.theirs), less ours, \(loops.ours)",
                    unit: "",
                    values: [loops.theirs - loops.ours],
                    limit: 0,
                    aim: nil
                ),
                Row("\(work): resident memory", unit: "MB", values: loops.memory, limit: 150, aim: nil),
                Row(
                    "\(work), each twice: two detectors",
                    against: "one detector",
                    pairs: pairs,
                    limit: 1 / 1.8,
                    aim: 0.5
                ),
                Row(
                    "\(work): the daemon's pool of one",
                    against: "one detector by hand",
                    pairs: pools,
                    limit: 1.05,
                    aim: 1.0
                ),
            ]
        }
    }

    /// Ours and theirs over the same files, one after the other.
    private func measureLoop(
        _ pictures: Pictures,
        _ folder: String
    ) throws -> (seconds: [(ours: Double, theirs: Double)], ours: Double, theirs: Double, memory: [Double]) {
        let (ours, theirs) = (folder + "/ours.jsonl", folder + "/theirs.jsonl")
        var seconds: [(ours: Double, theirs: Double)] = []
        var memory: [Double] = []
        for _ in 0..<plan.loops {
            let mine = try Detector.command(pictures.files).run(output: ours)
            let loop = try Python.command("cv2_loop", [Self.cascade] + pictures.files).run(output: theirs)
            seconds.append((mine.wall, loop.wall))
            memory.append(mine.memory / 1_000_000)
        }
        return (seconds, rounded(try pictures.f1(of: ours)), rounded(try pictures.f1(of: theirs)), memory)
    }

    /// Two at once, each over all files, beside one that does the same work alone.
    private func measureTwo(
        _ workshop: Workshop,
        _ pictures: Pictures
    ) throws -> [(ours: Double, theirs: Double)] {
        try workshop.pairs(plan.runs) {
            let begun = Clock.seconds()
            let command = try Detector.command(pictures.files)
            let both = try (0..<2).map { _ in try command.start(errors: "/dev/null") }
            for pid in both { _ = try command.end(of: pid, begun: begun) }
            return Clock.seconds() - begun
        } theirs: {
            try Detector.command(pictures.files + pictures.files).run().wall
        }
    }

    /// From the opening of the gate until the last result is durable, beside the detector alone.
    private func measurePool(
        _ workshop: Workshop,
        _ pictures: Pictures
    ) throws -> [(ours: Double, theirs: Double)] {
        let names = try pictures.serve(workshop.server)
        defer { workshop.server.remove(names) }
        let list = try workshop.write(names.map { workshop.server.url($0) }, to: "faces.txt")
        return try workshop.pairs(plan.runs) {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 4)
                defer { daemon.kill(SIGTERM) }
                _ = try daemon.add(list: list)
                try daemon.untilStored(names.count)
                let begun = Clock.seconds()
                try daemon.release()
                try daemon.untilDone(names.count)
                return Clock.seconds() - begun
            }
        } theirs: {
            try Detector.humbleCommand(pictures.files).run().wall
        }
    }

    private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
