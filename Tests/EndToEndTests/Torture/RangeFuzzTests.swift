import ControlAPI
import Foundation
import TestSupport
import Testing

extension Alone {
    /// `make torture RANGES=1` runs it at length; FILES and SEED set how much, and which run.
    @Suite(.serialized) struct RangeFuzzTests {
        @Test("However ranges are answered, a document is one version of its file, whole")
        func oneVersion() async throws {
            let environment = ProcessInfo.processInfo.environment
            let seed = environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
            let files = BentFiles(seed: seed, count: environment["RANGE_FILES"].flatMap { Int($0) } ?? 80)
            print("ranges: FILES=\(files.count) SEED=\(seed)")
            let origin = try Origin.start()
            defer { origin.stop() }
            for number in 0..<files.count {
                origin.serve("/" + files.name(number)) { files.answer(number, to: $0) }
            }
            let installation = try Installation()
            let daemon = try await installation.startDaemon(environment: [
                "FACEFETCH_TRANSFER_CONCURRENCY": "64", "FACEFETCH_TRANSFER_PER_HOST": "64",
                "FACEFETCH_DETECTION_WHEN": "held", "FACEFETCH_TRANSFER_TRIES": "4",
                // One that is asked to wait by its host keeps the others waiting.
                "FACEFETCH_TRANSFER_GIVE_UP": "60s",
            ])
            let urls = (0..<files.count).map { origin.url("/" + files.name($0)) }
            _ = try installation.directory.write(Array(urls.joined(separator: "\n").utf8), to: "list.txt")
            let added = try await installation.facefetch(
                "add",
                "--from",
                installation.directory.path("list.txt")
            )
            #expect(added.status == 0, "\(added.errors)")
            try await settle(installation, files.count)
            let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
            #expect(await daemon.stop() == 0)
            #expect(jobs.count == files.count)
            var whole = 0
            for job in jobs {
                guard let number = urls.firstIndex(of: job.url), job.state == "stored" else { continue }
                whole += 1
                let document = try installation.document(job.name)
                let isOneVersion = (0...1).contains { document == files.bytes(number, version: $0) }
                let asked = origin.requests("/" + job.name).map {
                    "\($0.range?.first ?? 0) \($0.bodyBytesSent)"
                }
                #expect(
                    isOneVersion,
                    """
                    job \(job.id) is no version of its file, of \(files.length(number)) bytes: SEED=\(seed), \(asked), \
                    \(document.count) bytes that begin with \(document.prefix(40))
                    """
                )
            }
            let requests = origin.requests
            let restarts = try installation.eventLog().count { $0.contains(" restarted download ") }
            print(
                "ranges: \(whole) of \(files.count) whole, \(requests.count(where: { $0.range != nil })) ranges, \(restarts) restarts"
            )
            #expect(whole > 0)
        }

        /// Waits until every job is stored or failed.
        private func settle(_ installation: Installation, _ count: Int) async throws {
            let deadline = ContinuousClock.now + .seconds(1200)
            while ContinuousClock.now < deadline {
                let status = try await HTTPClient.send("GET", "/v1/status", to: installation.socket)
                    .decoded(as: StatusJSON.self)
                let ended =
                    status.jobs["stored", default: 0] + status.jobs["failed", default: 0]
                if ended == count { return }
                try await Task.sleep(for: .milliseconds(200))
            }
            Issue.record("some jobs neither end nor fail")
        }
    }
}
