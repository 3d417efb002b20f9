import Foundation

/// Many small files, 64 at once: from the first add until the last is stored, every job durable.
struct SmallFiles: Measure {
    static let name = "small"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let names = try workshop.server.makeSmallFiles(plan.files)
        defer { workshop.server.remove(names) }
        let list = try workshop.write(names.map { workshop.server.url($0) }, to: "list.txt")
        let curlLines = names.flatMap { ["url = \"\(workshop.server.url($0))\"", "output = \"\($0)\""] }
        let curlList = try workshop.write(curlLines, to: "list.curl")
        func ours() throws -> Double {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 64)
                defer { daemon.kill(SIGTERM) }
                let begun = Clock.seconds()
                _ = try daemon.add(list: list)
                try daemon.untilStored(names.count)
                return Clock.seconds() - begun
            }
        }
        func theirs(_ name: String, _ arguments: (String) -> [String]) throws -> Double {
            try workshop.withDirectory("theirs") { try Command(name, arguments($0)).run().wall }
        }
        let work = "\(names.count) files of 10–40 KB, 64 at once: wall"
        let aria2 = try workshop.pairs(plan.runs, ours: ours) {
            try theirs("aria2c") {
                ["-q", "-j64", "--file-allocation=none", "--no-conf", "-d", $0, "-i", list]
            }
        }
        let curl = try workshop.pairs(plan.runs, ours: ours) {
            try theirs("/usr/bin/curl") {
                ["-q", "-s", "--parallel", "--parallel-max", "64", "--output-dir", $0, "-K", curlList]
            }
        }
        return [
            Row(work, against: "aria2c -j64", pairs: aria2, limit: 0.7, aim: nil),
            Row(work, against: "curl --parallel-max 64", pairs: curl, limit: nil, aim: 1.0),
        ]
    }
}
