import ControlAPI
import Foundation
import GRDB
import TestSupport
import Testing

/// Jobs that are kept for a while after they have ended, and what the log says of small files.
@Suite("Kept jobs", .serialized, .timeLimit(.minutes(5)))
struct KeptJobTests {
    private func untilStored(_ job: Int64, _ installation: Installation) async throws {
        while true {
            let list = try installation.jobs(try await installation.facefetch("list", "--json"))
            if list.contains(where: { $0.id == job && $0.state == .stored }) { return }
            try Task.checkCancellation()
        }
    }

    @Test("An ended job is forgotten when its time is up, and nothing else: not its document, and no number")
    func forgotten() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for name in ["old", "new", "held"] { origin.serve("/\(name).jpg", OriginFile(seed: 1, count: 5000)) }
        let installation = try Installation()
        let first = try await installation.startDaemon()
        let old = try await installation.facefetch("add", "--wait", origin.url("/old.jpg"))
        let new = try await installation.facefetch("add", "--wait", origin.url("/new.jpg"))
        #expect(old.status == 0 && new.status == 0)
        #expect(try await installation.facefetch("detection", "hold").status == 0)
        #expect(try await installation.facefetch("add", origin.url("/held.jpg")).status == 0)
        try await untilStored(3, installation)
        #expect(await first.stop() == 0)
        // Two hours ago, all but the second.
        let store = try DatabaseQueue(path: installation.directory.path("state/facefetch.sqlite"))
        try await store.write {
            try $0.execute(sql: "UPDATE jobs SET finished_at = finished_at - 7200000000 WHERE id IN (1, 3)")
        }
        try store.close()

        let second = try await installation.startDaemon(environment: [
            "FACEFETCH_JOBS_KEEP": "1h", "FACEFETCH_LOG_STEPS_FROM": "5001",
        ])
        // That may be before the daemon says that it is ready, or after.
        while try installation.jobs(try await installation.facefetch("list", "--json")).map(\.id) != [2, 3] {
            try Task.checkCancellation()
        }
        #expect(try installation.document("old.jpg").count == 5000)
        // No number is given twice, and a small file has a line for its start and one for its end.
        origin.serve("/next.jpg", OriginFile(seed: 2, count: 5000))
        #expect(try await installation.facefetch("add", origin.url("/next.jpg")).status == 0)
        try await untilStored(4, installation)
        #expect(await second.stop() == 0)
        let lines = try installation.eventLog()
        #expect(lines.filter { $0.contains("next.jpg") && $0.contains("% done") }.isEmpty)
        #expect(lines.contains { $0.contains("started download of") && $0.contains("next.jpg") })
        #expect(lines.contains { $0.contains("finished download of") && $0.contains("next.jpg") })
        #expect(lines.filter { $0.contains("old.jpg") && $0.contains("% done") }.count == 10)
    }
}
