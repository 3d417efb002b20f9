import Foundation

/// Many small files, 64 at once: from the first add until the last is stored, every job durable.
struct SmallFiles: Measure {
    static let name = "small"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let fetches = try SmallFileFetches(plan.files, in: workshop)
        defer { workshop.server.remove(fetches.names) }
        func pairs(_ theirs: (String) throws -> Double) throws -> [(ours: Double, theirs: Double)] {
            try workshop.pairs(plan.runs) {
                try workshop.withDirectory("ours") { try fetches.ours(in: $0) }
            } theirs: {
                try workshop.withDirectory("theirs", theirs)
            }
        }
        let work = "\(plan.files) files of 10–40 KB, 64 at once: wall"
        let aria2 = try pairs { try fetches.aria2(in: $0) }
        let curl = try pairs { try fetches.curl(in: $0) }
        return [
            Row(work, against: "aria2c -j64", pairs: aria2, limit: 0.45, aim: 0.35),
            Row(work, against: "curl --parallel-max 64", pairs: curl, limit: 1.2, aim: 1.0),
        ]
    }
}
