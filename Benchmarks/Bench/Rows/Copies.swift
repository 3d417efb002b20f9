import Foundation
import Glibc

/// Copies of very many pictures: how long they take beside looking for faces in them, and in how much memory.
struct Copies: Measure {
    static let name = "copies"
    let plan: Plan
    private static let megapixels = 0.8
    /// Different pictures; the others have their bytes, of which the daemon looks at each only once.
    private static let different = 22

    /// The engine that finds faces, for the daemon as for copies.
    private struct Engine {
        var name: String
        /// Flags of the detector, and of `facefetch copies --redacted`.
        var flags: [String] = []
        var settings: [String: String] = [:]
        /// The kinds of copies to measure with it: others than redacted ones only go by faces that are known.
        var kinds = ["--redacted"]
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.withDirectory("pictures") { folder in
            let pictures = try Pictures(
                plan: plan,
                in: folder,
                megapixels: Self.megapixels,
                count: min(plan.copied, Self.different)
            )
            let names = (0..<plan.copied).map { "copy\($0).jpg" }
            for (number, name) in names.enumerated() {
                try FileManager.default.createSymbolicLink(
                    atPath: workshop.server.root + "/" + name,
                    withDestinationPath: pictures.files[number % pictures.files.count]
                )
            }
            defer { workshop.server.remove(names) }
            let list = try workshop.write(names.map { workshop.server.url($0) }, to: "copies.txt")
            return try engines().flatMap { engine in
                try workshop.withDirectory("ours") { directory in
                    let daemon = try Facefetch(
                        in: directory,
                        concurrency: 4,
                        held: false,
                        settings: engine.settings
                    )
                    defer { daemon.kill(SIGTERM) }
                    _ = try daemon.add(list: list)
                    try daemon.untilDone(names.count)
                    let documents = names.map { directory + "/documents/" + $0 }
                    return try engine.kinds.flatMap {
                        try measure($0, engine, daemon, documents, directory, workshop)
                    }
                }
            }
        }
    }

    /// The engines that are at hand.
    private func engines() throws -> [Engine] {
        var engines = [Engine(name: "haar", kinds: ["--annotated", "--crops", "--redacted"])]
        let folder = ProcessInfo.processInfo.environment["FACEFETCH_MODELS"] ?? "../shared/models"
        let models = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        if let model = models.first(where: { $0.hasSuffix(".onnx") }) {
            let path = URL(fileURLWithPath: folder + "/" + model).path
            engines.append(
                Engine(
                    name: "yunet (\(model))",
                    flags: ["--engine", "yunet", "--model", path],
                    settings: ["FACEFETCH_DETECTION_ENGINE": "yunet", "FACEFETCH_DETECTION_MODEL": path]
                )
            )
        } else {
            FileHandle.standardError.write(
                Data(
                    "bench: copies with yunet are left out: \(folder) has no model; set FACEFETCH_MODELS\n"
                        .utf8
                )
            )
        }
        return engines
    }

    private func measure(
        _ kind: String,
        _ engine: Engine,
        _ daemon: Facefetch,
        _ documents: [String],
        _ directory: String,
        _ workshop: Workshop
    ) throws -> [Row] {
        let out = directory + "/copies"
        let isRedacted = kind == "--redacted"
        var memory: [(ours: Double, theirs: Double)] = []
        var asTheDaemonLooks: [(ours: Double, theirs: Double)] = []
        let pairs = try workshop.pairs(plan.runs) {
            let all = try daemon.watchedClient(
                ["copies", kind, "--out", out] + (isRedacted ? engine.flags : [])
            )
            try FileManager.default.removeItem(atPath: out)
            memory.append((all.memory.most(from: 0.8, to: 1), all.memory.most(from: 0.1, to: 0.3)))
            if isRedacted {
                asTheDaemonLooks.append((all.seconds, try detect(documents, engine.flags)))
            }
            return all.seconds
        } theirs: {
            // Redaction looks in all sizes, since what the daemon leaves out may be a face all the same.
            try detect(documents, engine.flags + (isRedacted ? ["--small-faces", "always"] : []))
        }
        let work =
            "\(documents.count) pictures of \(Self.megapixels) megapixels, copies \(kind), \(engine.name)"
        let looking = "looking for faces in them"
        return [
            Row(
                work,
                against: looking + (isRedacted ? " in all sizes" : ""),
                pairs: pairs,
                limit: 1 / 0.9,
                aim: 1.0
            )
        ]
            + (isRedacted
                ? [
                    // What that costs beside looking as the daemon does, which leaves out large looks.
                    Row(
                        work,
                        against: looking + " in those that the daemon takes",
                        pairs: asTheDaemonLooks,
                        limit: nil,
                        aim: nil
                    )
                ] : []) + [
                Row(
                    "\(work): memory of all processes in the last fifth of the time",
                    against: "in the second and third tenth",
                    unit: "MB",
                    pairs: memory,
                    limit: 1.1,
                    aim: 1.0
                )
            ]
    }

    /// As many detectors as there are processors, each with its share.
    private func detect(_ documents: [String], _ flags: [String]) throws -> Double {
        let count = ProcessInfo.processInfo.activeProcessorCount
        let share = (documents.count + count - 1) / count
        let begun = Clock.seconds()
        let detectors = try stride(from: 0, to: documents.count, by: share).map { start in
            let files = Array(documents[start..<min(start + share, documents.count)])
            let command = try Detector.command(flags + files)
            return (command, try command.start(errors: "/dev/null"))
        }
        for (command, pid) in detectors { _ = try command.end(of: pid, begun: begun) }
        return Clock.seconds() - begun
    }
}
