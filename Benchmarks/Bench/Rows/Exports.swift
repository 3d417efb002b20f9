import Foundation
import Glibc

/// Exports of very many jobs to a table: how long they take, and whether their memory stays flat.
struct Exports: Measure {
    static let name = "export"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let (all, few) = (plan.exported, max(1, plan.exported / 10))
        var (whole, again, daemon): ([Double], [Double], [Double]) = ([], [], [])
        var memory: [(ours: Double, theirs: Double)] = []
        try workshop.withDirectory("ours") { directory in
            try MadeStore(state: .done).make(in: directory + "/state", jobs: all)
            let facefetch = try Facefetch(in: directory, concurrency: 1)
            defer { facefetch.kill(SIGKILL) }
            let out = directory + "/jobs.csv"
            for _ in 0..<plan.runs {
                let before = try facefetch.memory()
                let run = try facefetch.export(["--out", out])
                daemon.append(try facefetch.memory() - before)
                whole.append(run.seconds)
                try Self.check(out, rows: all)
                again.append(try facefetch.export(["--out", out, "--append"]).seconds)
                try Self.check(out, rows: all)
                let rest = String(2 * (all - few))
                let part = try facefetch.export(["--out", directory + "/few.csv", "--ended-after", rest])
                memory.append((run.memory.most(from: 0, to: 1), part.memory.most(from: 0, to: 1)))
            }
        }
        return [
            Row("\(all) jobs to CSV", unit: "s", values: whole, limit: 20, aim: 10),
            Row(
                "\(all) jobs to CSV: memory of facefetch",
                against: "\(few) jobs",
                unit: "MB",
                pairs: memory,
                limit: 1.1,
                aim: 1.0
            ),
            Row(
                "\(all) jobs to CSV: memory that the daemon takes for it (PSS)",
                unit: "MB",
                values: daemon,
                limit: 50,
                aim: nil
            ),
            Row("--append to a CSV of \(all) jobs, nothing new", unit: "s", values: again, limit: 20, aim: 2),
        ]
    }

    /// Nothing is measured that is wrong: a heading, and a row for each job.
    private static func check(_ path: String, rows: Int) throws(BenchError) {
        let text = FileManager.default.contents(atPath: path) ?? Data()
        let lines = text.count { $0 == 0x0A }
        guard lines == rows + 1 else {
            throw .failed("\(path) has \(lines) lines, and should have \(rows + 1)")
        }
    }
}

extension Facefetch {
    /// Exports jobs to a table, as people do.
    fileprivate func export(_ arguments: [String]) throws -> (seconds: Double, memory: MemoryCourse) {
        try watchedClient(["export", "--format", "csv"] + arguments)
    }
}
