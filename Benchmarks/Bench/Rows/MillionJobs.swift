import Foundation
import Glibc

/// A million jobs that wait: what they take of memory, and how soon the daemon is ready after a kill.
struct MillionJobs: Measure {
    static let name = "million"
    let plan: Plan

    /// For so long memory is watched after a start: what that takes is wanted, too.
    private static let watched = 2.0

    /// The starts that followed kills.
    private struct Starts {
        var ready: [Double] = []
        var memory: [Double] = []
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        let (added, queued) = try measureQueued(workshop)
        let stored = try measureStored(workshop)
        return [
            Row(
                "\(plan.million) queued jobs: memory above idle (PSS), as they have been added",
                unit: "MB",
                values: added,
                limit: 150,
                aim: 100
            )
        ] + rows("\(plan.million) queued jobs", queued)
            + rows("\(plan.million) stored documents at a held gate", stored)
    }

    private func rows(_ jobs: String, _ starts: Starts) -> [Row] {
        [
            Row("\(jobs): start to ready after SIGKILL", unit: "s", values: starts.ready, limit: 1.5, aim: 1),
            Row(
                "\(jobs): memory above idle (PSS), most in \(Int(Self.watched)) s after that",
                unit: "MB",
                values: starts.memory,
                limit: 150,
                aim: 100
            ),
        ]
    }

    /// With one transfer that hardly moves, so that the rest stays queued.
    private func measureQueued(_ workshop: Workshop) throws -> (added: [Double], starts: Starts) {
        try workshop.server.make("crawling.jpg", count: 1 << 20)
        defer { workshop.server.remove(["crawling.jpg"]) }
        var (added, starts): ([Double], Starts) = ([], Starts())
        for _ in 0..<plan.runs {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 1)
                defer { daemon.kill(SIGKILL) }
                let idle = try daemon.mostMemory(in: Self.watched)
                try workshop.queue(plan.million, of: "crawling.jpg", in: daemon)
                added.append(try daemon.memory() - idle)
                try restart(daemon, idle: idle, &starts)
            }
        }
        return (added, starts)
    }

    /// All of them in one store, of which the daemon changes nothing as long as the gate is held.
    private func measureStored(_ workshop: Workshop) throws -> Starts {
        let idle = try workshop.withDirectory("idle") { directory in
            let daemon = try Facefetch(in: directory, concurrency: 1)
            defer { daemon.kill(SIGKILL) }
            return try daemon.mostMemory(in: Self.watched)
        }
        var starts = Starts()
        try workshop.withDirectory("ours") { directory in
            try MadeStore(state: .stored).make(in: directory + "/state", jobs: plan.million)
            let daemon = try Facefetch(in: directory, concurrency: 1)
            defer { daemon.kill(SIGKILL) }
            try daemon.untilStored(plan.million)
            for _ in 0..<plan.runs {
                // What it makes of a store that it hasn't seen before is not measured.
                try daemon.untilQuiet()
                try restart(daemon, idle: idle, &starts)
            }
        }
        return starts
    }

    private func restart(_ daemon: Facefetch, idle: Double, _ starts: inout Starts) throws {
        daemon.kill(SIGKILL)
        starts.ready.append(try daemon.start())
        starts.memory.append(try daemon.mostMemory(in: Self.watched) - idle)
    }
}

extension Workshop {
    /// As many as a batch can have.
    private static let batch = 100_000

    /// Hands a daemon so many URLs of a file of the server that comes slowly, and so that each differs.
    func queue(_ count: Int, of file: String, in daemon: Facefetch) throws {
        let connection = try daemon.connection()
        for first in stride(from: 0, to: count, by: Self.batch) {
            let items = (first..<min(count, first + Self.batch)).map {
                "{\"url\":\"\(server.url("crawling/\(file)?\($0)"))\"}"
            }
            try connection.post("/v1/batches", "{\"items\":[\(items.joined(separator: ","))]}")
        }
    }
}
