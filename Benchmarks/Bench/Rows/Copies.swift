import Foundation
import Glibc

/// Copies of very many pictures: how long they take beside looking for faces in them, and in how much memory.
struct Copies: Measure {
    static let name = "copies"
    let plan: Plan
    private static let megapixels = 0.8
    /// Different pictures; the others have their bytes, of which the daemon looks at each only once.
    private static let different = 22
    private static let kinds = ["--annotated", "--crops", "--redacted"]

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
            return try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 4, held: false)
                defer { daemon.kill(SIGTERM) }
                _ = try daemon.add(list: list)
                try daemon.untilDone(names.count)
                let documents = names.map { directory + "/documents/" + $0 }
                return try Self.kinds.flatMap { try measure($0, daemon, documents, directory, workshop) }
            }
        }
    }

    private func measure(
        _ kind: String,
        _ daemon: Facefetch,
        _ documents: [String],
        _ directory: String,
        _ workshop: Workshop
    ) throws -> [Row] {
        let out = directory + "/copies"
        var memory: [(ours: Double, theirs: Double)] = []
        let pairs = try workshop.pairs(plan.runs) {
            let all = try daemon.client(["copies", kind, "--out", out])
            try FileManager.default.removeItem(atPath: out)
            // Jobs end in any order, so that the last tenth of the numbers has a tenth of the pictures.
            let after = String(2 * (documents.count - documents.count / 10))
            let few = try daemon.client(["copies", kind, "--out", out, "--ended-after", after])
            try FileManager.default.removeItem(atPath: out)
            memory.append((all.memory / 1_000_000, few.memory / 1_000_000))
            return all.wall
        } theirs: {
            try detect(documents, thoroughly: kind == "--redacted")
        }
        let work = "\(documents.count) pictures of \(Self.megapixels) megapixels, copies \(kind)"
        return [
            Row(work, against: "looking for faces in them", pairs: pairs, limit: 1 / 0.9, aim: 1.0),
            Row(
                "\(work): memory of facefetch",
                against: "a tenth of them",
                unit: "MB",
                pairs: memory,
                limit: 1.2,
                aim: 1.0
            ),
        ]
    }

    /// As many detectors as there are processors, each with its share.
    private func detect(_ documents: [String], thoroughly: Bool) throws -> Double {
        let count = ProcessInfo.processInfo.activeProcessorCount
        let share = (documents.count + count - 1) / count
        let begun = Clock.seconds()
        let detectors = try stride(from: 0, to: documents.count, by: share).map { start in
            let files = Array(documents[start..<min(start + share, documents.count)])
            let command = try Detector.command((thoroughly ? ["--small-faces", "always"] : []) + files)
            return (command, try command.start(errors: "/dev/null"))
        }
        for (command, pid) in detectors { _ = try command.end(of: pid, begun: begun) }
        return Clock.seconds() - begun
    }
}
