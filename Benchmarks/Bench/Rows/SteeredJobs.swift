import Foundation
import Glibc

/// Pausing, resuming and cancelling a million jobs, and how the daemon answers meanwhile.
struct SteeredJobs: Measure {
    static let name = "steering"
    let plan: Plan

    private static let actions = ["pause", "resume", "cancel"]

    /// The results: the seconds of each action, and the slowest status during it in milliseconds.
    private struct Figures {
        var seconds: [String: [Double]] = [:]
        var statuses: [Double] = []
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.server.make("crawling.jpg", count: 1 << 20)
        defer { workshop.server.remove(["crawling.jpg"]) }
        var (queued, stored) = (Figures(), Figures())
        for _ in 0..<plan.runs {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 1)
                defer { daemon.kill(SIGKILL) }
                try workshop.queue(plan.million, of: "crawling.jpg", in: daemon)
                try steer(daemon, &queued)
            }
            try workshop.withDirectory("ours") { directory in
                try MadeStore(state: .stored).make(in: directory + "/state", jobs: plan.million)
                let daemon = try Facefetch(in: directory, concurrency: 1)
                defer { daemon.kill(SIGKILL) }
                try daemon.untilStored(plan.million)
                try daemon.untilQuiet()
                try steer(daemon, &stored)
            }
        }
        return rows("\(plan.million) queued jobs", queued)
            + rows("\(plan.million) stored documents at a held gate", stored)
    }

    private func rows(_ jobs: String, _ figures: Figures) -> [Row] {
        Self.actions.map {
            Row(
                "facefetch \($0) --all, \(jobs)",
                unit: "s",
                values: figures.seconds[$0] ?? [],
                limit: 5,
                aim: 2
            )
        } + [
            Row(
                "\(jobs): status meanwhile, slowest",
                unit: "ms",
                values: figures.statuses,
                limit: 10,
                aim: nil
            )
        ]
    }

    private func steer(_ daemon: Facefetch, _ figures: inout Figures) throws {
        for action in Self.actions {
            let (seconds, slowest) = try daemon.questionedClient([action, "--all"])
            figures.seconds[action, default: []].append(seconds)
            figures.statuses.append(slowest * 1000)
            try daemon.untilQuiet()
        }
    }
}
