import Foundation

/// Many small files that go into 256 folders by their hashes, beside the same in one directory.
struct FilesInFolders: Measure {
    static let name = "folders"
    let plan: Plan

    private static let settings = ["FACEFETCH_DOCUMENTS_LAYOUT": "{sha2}"]

    func run(_ workshop: Workshop) throws -> [Row] {
        let disk = try RealDisk(below: plan.disk)
        defer { disk.close() }
        let fetches = try SmallFileFetches(plan.foldered, in: workshop)
        defer { workshop.server.remove(fetches.names) }
        let inMemory = try workshop.pairs(plan.runs) {
            try workshop.withDirectory("ours") { try foldered(fetches, in: $0) }
        } theirs: {
            try workshop.withDirectory("theirs") { try fetches.ours(in: $0) }
        }
        let onDisk = try workshop.pairs(plan.runs) {
            try foldered(fetches, in: disk.freshDirectory())
        } theirs: {
            try fetches.ours(in: disk.freshDirectory())
        }
        return [
            row("a memory disk", inMemory),
            row("\(disk.fileSystem), all synced", onDisk),
        ]
    }

    private func row(_ place: String, _ pairs: [(ours: Double, theirs: Double)]) -> Row {
        Row(
            "\(plan.foldered) files of 10–40 KB into 256 folders on \(place), 64 at once: wall",
            against: "itself without folders",
            pairs: pairs,
            limit: 1.1,
            aim: 1.0
        )
    }

    private func foldered(_ fetches: SmallFileFetches, in directory: String) throws -> Double {
        let seconds = try fetches.ours(in: directory, settings: Self.settings)
        let entries = try FileManager.default.contentsOfDirectory(atPath: directory + "/documents")
        guard !entries.isEmpty, !entries.contains(where: { $0.hasSuffix(".jpg") }) else {
            throw BenchError.failed("documents are not in folders")
        }
        return seconds
    }
}
