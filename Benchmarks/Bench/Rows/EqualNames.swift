import Foundation

/// Many small files that all want the same name, beside as many whose names differ: whoever is given
/// the number 2,000 must not have tried all those before it.
struct EqualNames: Measure {
    static let name = "names"
    let plan: Plan

    private static let files = 2000

    func run(_ workshop: Workshop) throws -> [Row] {
        let names = try workshop.server.makeSmallFiles(Self.files)
        defer { workshop.server.remove(names) }
        func list(_ file: String, _ ending: (Int) -> String) throws -> String {
            try workshop.write(
                names.indices.map { workshop.server.url("named/\($0)/\(ending($0))") },
                to: file
            )
        }
        let equal = try list("equal.txt") { _ in "image.jpg" }
        let distinct = try list("distinct.txt") { "image-\($0).jpg" }
        func seconds(_ list: String) throws -> Double {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 64)
                defer { daemon.kill(SIGTERM) }
                let begun = Clock.seconds()
                _ = try daemon.add(list: list)
                try daemon.untilStored(names.count)
                return Clock.seconds() - begun
            }
        }
        let pairs = try workshop.pairs(plan.runs) {
            try seconds(equal)
        } theirs: {
            try seconds(distinct)
        }
        return [
            Row(
                "\(names.count) files that all want one name, 64 at once: wall",
                against: "itself with names that differ",
                pairs: pairs,
                limit: 1.5,
                aim: 1.0
            )
        ]
    }
}
