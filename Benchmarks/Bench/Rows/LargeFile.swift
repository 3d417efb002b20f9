import Foundation

/// One large file: the time it takes, and the processors' time with the hash that we always make.
struct LargeFile: Measure {
    static let name = "large"
    let plan: Plan

    /// Milliseconds between questions: answering them takes time of the daemon's processor, which is counted
    /// here.
    private static let pause: UInt32 = 20

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.server.make("large.jpg", count: plan.largeMiB << 20)
        defer { workshop.server.remove(["large.jpg"]) }
        let url = workshop.server.url("large.jpg")
        let list = try workshop.write([url], to: "large.txt")
        func ours(hashing: Bool) throws -> Command.Cost {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 16)
                defer { daemon.kill(SIGTERM) }
                let before = try daemon.processorSeconds()
                let begun = Clock.seconds()
                let client = try daemon.add(list: list)
                try daemon.untilStored(1, asking: Self.pause)
                var wall = Clock.seconds() - begun
                // What is left to hash of a large file is hashed once it is stored.
                try daemon.untilHashed(1, asking: Self.pause)
                if hashing { wall = Clock.seconds() - begun }
                return Command.Cost(
                    wall: wall,
                    processor: try daemon.processorSeconds() - before + client.processor
                )
            }
        }
        func curl(hashing: Bool) throws -> Command.Cost {
            try workshop.withDirectory("theirs") { directory in
                var cost = try Command("/usr/bin/curl", ["-q", "-s", "-o", directory + "/large.jpg", url])
                    .run()
                guard hashing else { return cost }
                let hash = try Command("sha256sum", [directory + "/large.jpg"]).run()
                cost.wall += hash.wall
                cost.processor += hash.processor
                return cost
            }
        }
        func stored() throws -> Command.Cost { try ours(hashing: false) }
        let plain = try workshop.pairs(plan.runs, ours: stored) { try curl(hashing: false) }
        let hashed = try workshop.pairs(plan.runs, ours: { try ours(hashing: true) }) {
            try curl(hashing: true)
        }
        let wget = try workshop.pairs(plan.runs, ours: stored) {
            try workshop.withDirectory("theirs") {
                try Command("wget2", ["-q", "--no-config", "-P", $0, url]).run()
            }
        }
        func walls(_ pairs: [(ours: Command.Cost, theirs: Command.Cost)]) -> [(ours: Double, theirs: Double)]
        {
            pairs.map { ($0.ours.wall, $0.theirs.wall) }
        }
        func processors(
            _ pairs: [(ours: Command.Cost, theirs: Command.Cost)]
        ) -> [(ours: Double, theirs: Double)] {
            pairs.map { ($0.ours.processor, $0.theirs.processor) }
        }
        let file = "one file of \(plan.largeMiB) MiB"
        return [
            Row("\(file): wall, until stored", against: "curl", pairs: walls(plain), limit: 1.0, aim: nil),
            Row("\(file): wall, until stored", against: "wget2", pairs: walls(wget), limit: 1.0, aim: 0.9),
            Row(
                "\(file): wall, until hashed",
                against: "curl, then sha256sum",
                pairs: walls(hashed),
                limit: nil,
                aim: nil
            ),
            Row(
                "\(file): CPU, hash included",
                against: "curl + sha256sum",
                pairs: processors(hashed),
                limit: 0.4,
                aim: 0.35
            ),
            Row(
                "\(file): CPU, hash included",
                against: "curl",
                pairs: processors(plain),
                limit: nil,
                aim: 1.0
            ),
        ]
    }
}
