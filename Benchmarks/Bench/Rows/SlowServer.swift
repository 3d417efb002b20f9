import Foundation

/// One file from a server that gives each connection 20 MB/s: what segments are for.
struct SlowServer: Measure {
    static let name = "slow"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.server.make("slow.jpg", count: plan.slowMiB << 20)
        defer { workshop.server.remove(["slow.jpg"]) }
        let url = workshop.server.url("limited/slow.jpg")
        let list = try workshop.write([url], to: "slow.txt")
        let pairs = try workshop.pairs(plan.runs) {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 16)
                defer { daemon.kill(SIGTERM) }
                let begun = Clock.seconds()
                _ = try daemon.add(list: list)
                try daemon.untilStored(1)
                return Clock.seconds() - begun
            }
        } theirs: {
            try workshop.withDirectory("theirs") {
                let arguments = [
                    "-q", "-x4", "-s4", "-k1M", "--file-allocation=none", "--no-conf", "-d", $0, url,
                ]
                return try Command("aria2c", arguments).run().wall
            }
        }
        let work = "one file of \(plan.slowMiB) MiB at 20 MB/s a connection: wall"
        return [Row(work, against: "aria2c -x4 -s4", pairs: pairs, limit: 1.0, aim: 1.0)]
    }
}
