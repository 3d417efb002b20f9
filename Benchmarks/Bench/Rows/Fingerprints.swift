import ControlAPI
import Foundation
import Glibc

/// Documents that look alike among very many: how long it takes to find them, and how much memory.
struct Fingerprints: Measure {
    static let name = "fingerprints"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        var (groups, memory, similar): ([Double], [Double], [Double]) = ([], [], [])
        try workshop.withDirectory("ours") { directory in
            try MadeStore(state: .done).make(in: directory + "/state", jobs: plan.likened)
            for _ in 0..<plan.runs {
                // What has been freed stays with a process, so each run has one of its own.
                let daemon = try Facefetch(in: directory, concurrency: 1)
                defer { daemon.kill(SIGKILL) }
                let before = try daemon.memory()
                let peak = MemoryPeak(of: daemon.pid, every: 0.05)
                groups.append(
                    try seconds {
                        let page = try daemon.connection().get("/v1/jobs/duplicates?limit=1000")
                        try check(page)
                    }
                )
                memory.append(peak.end() - before)
                let connection = try daemon.connection()
                for job in stride(from: 9, through: plan.likened, by: max(10, plan.likened / 200 * 10)) {
                    similar.append(
                        try seconds { _ = try connection.get("/v1/jobs/\(job)/similar") } * 1000
                    )
                }
            }
        }
        return [
            Row(
                "\(plan.likened) fingerprints: groups within a distance of 6",
                unit: "s",
                values: groups,
                limit: 10,
                aim: 5
            ),
            Row(
                "\(plan.likened) fingerprints: memory that the daemon takes for that (PSS)",
                unit: "MB",
                values: memory,
                limit: 100,
                aim: nil
            ),
            Row(
                "\(plan.likened) fingerprints: what is like one document",
                unit: "ms",
                values: similar,
                limit: 50,
                aim: 20
            ),
        ]
    }

    /// Nothing is measured that is wrong: every tenth document and the one before it are alike.
    private func check(_ bytes: Data) throws {
        let page = try JSONDecoder().decode(PageJSON<AlikeJSON>.self, from: bytes)
        // A few are alike by chance.
        guard let total = page.total, total >= plan.likened / 5, total <= plan.likened / 4 else {
            throw BenchError.failed("\(page.total ?? 0) documents are alike")
        }
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = Clock.seconds()
        try body()
        return Clock.seconds() - begun
    }
}
