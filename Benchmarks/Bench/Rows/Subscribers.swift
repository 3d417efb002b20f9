import Foundation

/// Measures the cost for transfers of a hundred followers of the events, one of whom has stopped reading.
struct Subscribers: Measure {
    static let name = "subscribers"
    let plan: Plan

    private static let fileMiB = 64
    private static let files = 24
    private static let count = 100

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.server.make("followed.jpg", count: Self.fileMiB << 20)
        defer { workshop.server.remove(["followed.jpg"]) }
        let list = try workshop.write(
            (1...Self.files).map { workshop.server.url("followed.jpg?\($0)") },
            to: "followed.txt"
        )
        func seconds(followers: Int) throws -> Double {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 8)
                defer { daemon.kill(SIGKILL) }
                let following = try followers > 0 ? Followers(followers, of: daemon) : nil
                defer { following?.stop() }
                let begun = Clock.seconds()
                _ = try daemon.add(list: list)
                try daemon.untilStored(Self.files)
                return Clock.seconds() - begun
            }
        }
        let pairs = try workshop.pairs(plan.runs) {
            try seconds(followers: Self.count)
        } theirs: {
            try seconds(followers: 0)
        }
        return [
            Row(
                "\(Self.files) files of \(Self.fileMiB) MiB, \(Self.count) subscribers, one stopped: wall",
                against: "itself without subscribers",
                pairs: pairs,
                limit: 1.1,
                aim: 1.0
            )
        ]
    }
}
