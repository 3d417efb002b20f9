import Foundation
import Glibc

/// A long queue: what it takes of memory, how soon the daemon is ready after a kill, and how it
/// answers while it works at the queue.
struct LongQueue: Measure {
    static let name = "queue"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let names = try workshop.server.makeSmallFiles(min(plan.files, plan.queued))
        defer { workshop.server.remove(names) }
        let idle = try measureIdle(workshop, names)
        let busy = try measureBusy(workshop, names)
        let queue = "\(plan.queued) queued jobs"
        return [
            Row("\(queue): memory above idle (PSS)", unit: "MB", values: idle.memory, limit: 60, aim: 40),
            Row("\(queue): start to ready after SIGKILL", unit: "s", values: idle.ready, limit: 2, aim: 0.5),
            Row(
                "one post of \(plan.queued) items: durable and answered",
                unit: "s",
                values: idle.posted,
                limit: 2,
                aim: nil
            ),
            Row("facefetch add of \(plan.queued) URLs", unit: "s", values: idle.added, limit: nil, aim: nil),
            Row(
                "\(queue), 64 transfers: status, 99th percentile",
                unit: "ms",
                values: busy.status,
                limit: 10,
                aim: nil
            ),
            Row(
                "\(queue), 64 transfers: page of 100, 99th percentile",
                unit: "ms",
                values: busy.pages,
                limit: 10,
                aim: nil
            ),
        ]
    }

    /// With one transfer that hardly moves, so that the rest stays queued.
    private func measureIdle(
        _ workshop: Workshop,
        _ names: [String]
    ) throws -> (memory: [Double], ready: [Double], added: [Double], posted: [Double]) {
        let list = try workshop.write(
            urls(names) { workshop.server.url("crawling/" + $0) },
            to: "crawling.txt"
        )
        var (memory, ready, added, posted): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        let items = urls(names) { "{\"url\":\"\(workshop.server.url("crawling/" + $0))\"}" }
        let body = "{\"items\":[\(items.joined(separator: ","))]}"
        for _ in 0..<plan.runs {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 1)
                let before = try daemon.memory()
                added.append(try daemon.add(list: list).wall)
                memory.append(try daemon.memory() - before)
                daemon.kill(SIGKILL)
                ready.append(try daemon.start())
                daemon.kill(SIGKILL)
            }
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 1)
                let connection = try daemon.connection()
                let begun = Clock.seconds()
                try connection.post("/v1/batches", body)
                posted.append(Clock.seconds() - begun)
                daemon.kill(SIGKILL)
            }
        }
        return (memory, ready, added, posted)
    }

    /// With 64 transfers of small files under way all the time.
    private func measureBusy(
        _ workshop: Workshop,
        _ names: [String]
    ) throws -> (status: [Double], pages: [Double]) {
        let list = try workshop.write(urls(names) { workshop.server.url($0) }, to: "busy.txt")
        var (status, pages): ([Double], [Double]) = ([], [])
        for _ in 0..<plan.runs {
            try workshop.withDirectory("ours") { directory in
                let daemon = try Facefetch(in: directory, concurrency: 64)
                defer { daemon.kill(SIGKILL) }
                _ = try daemon.add(list: list)
                let connection = try daemon.connection()
                var times: (status: [Double], pages: [Double]) = ([], [])
                for number in 0..<300 {
                    times.status.append(try milliseconds { _ = try connection.get("/v1/status") })
                    let after = number * plan.queued / 400
                    times.pages.append(
                        try milliseconds { _ = try connection.get("/v1/jobs?limit=100&after=\(after)") }
                    )
                }
                status.append(Spread(times.status).quantile(0.99))
                pages.append(Spread(times.pages).quantile(0.99))
            }
        }
        return (status, pages)
    }

    private func urls(_ names: [String], _ url: (String) -> String) -> [String] {
        (0..<plan.queued).map { url(names[$0 % names.count]) }
    }

    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = Clock.seconds()
        try body()
        return (Clock.seconds() - begun) * 1000
    }
}
