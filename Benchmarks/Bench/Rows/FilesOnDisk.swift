import Foundation

/// Many small files on a real disk: ours syncs every one and its store, and curl syncs nothing.
///
/// aria2c syncs as well since 1.36, three times a file. Most of its time on ext4 goes into the file that it
/// makes and deletes beside each.
struct FilesOnDisk: Measure {
    static let name = "disk"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let disk = try RealDisk(below: plan.disk)
        defer { disk.close() }
        let fetches = try SmallFileFetches(plan.files, in: workshop)
        defer { workshop.server.remove(fetches.names) }
        func pairs(_ theirs: (String) throws -> Double) throws -> [(ours: Double, theirs: Double)] {
            try workshop.pairs(plan.runs) {
                try fetches.ours(in: disk.freshDirectory())
            } theirs: {
                try theirs(disk.freshDirectory())
            }
        }
        let work = "\(plan.files) files of 10–40 KB on \(disk.fileSystem), 64 at once, all synced: wall"
        let aria2 = try pairs { try fetches.aria2(in: $0) }
        let curl = try pairs { try fetches.curl(in: $0) }
        return [
            Row(work, against: "aria2c -j64", pairs: aria2, limit: 1.0, aim: 0.6),
            Row(
                work,
                against: "curl --parallel-max 64, which syncs nothing",
                pairs: curl,
                limit: nil,
                aim: nil
            ),
        ]
    }
}
