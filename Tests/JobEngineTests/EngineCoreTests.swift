import EngineSupport
import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

struct EngineCoreTests {
    private func urls(_ count: Int, host: String = "example.org") -> [String] {
        (1...count).map { "http://\(host)/\($0).jpg" }
    }

    @Test("A batch is durable before it is answered, and its jobs go to the network within the limits")
    func submit() throws {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 3, perHost: 2)))
        let accepted = try harness.submit(urls(5) + urls(1, host: "other.org")).get()
        #expect(accepted.jobs.map(\.rawValue) == Array(1...6))
        #expect(try harness.store.real.storedState().lastJob == 6)
        #expect(harness.outside.all.started.map(\.job.rawValue) == [1, 2, 6])
        try harness.untilWritten()
        #expect(harness.core.status.jobsByState == [.queued: 3, .downloading: 3])
    }

    @Test("A whole download and detection is told in order, and nothing before it is durable")
    func wholeWay() async throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1))
        try harness.download(1)
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1])
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted)))
        let told = harness.outside.all.events
        #expect(told.map(\.id) == Array(1...Int64(told.count)))
        #expect(try await harness.store.real.events(after: 0, limit: 1000, batch: nil) == told)
        #expect(told.first?.message == "started download of http://example.org/1.jpg")
        #expect(told.last?.message == "finished face detection in \"1.jpg\": 0 faces")
        #expect(try harness.stored(1)?.state == .done)
    }

    @Test("A job's own header fields and rate go to the network, also after a restart")
    func ownHeadersAndRate() throws {
        let harness = try EngineHarness()
        let secret = try RequestHeader(name: "Authorization", value: "Bearer secret")
        let item = NewJob(
            url: try JobURL("http://h/a.jpg"),
            options: JobOptions(headers: [secret], rateLimit: 1000)
        )
        let submission = Submission(items: [item], submittedBy: nil)
        try harness.turn(.submit(submission, reply: Answer<AcceptedBatch>().give))
        let first = try #require(harness.outside.all.started.first)
        #expect(first.headers == [secret] && first.rateLimit == 1000)
        try harness.restart()
        let again = try #require(harness.outside.all.started.first)
        #expect(again.headers == [secret] && again.rateLimit == 1000)
    }

    @Test("Many reports in one turn cost one commit")
    func groupCommit() throws {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 100, perHost: 100)))
        _ = try harness.submit(urls(100))
        let before = harness.store.commits
        let start = TransferStart(mode: .fresh, offset: 0, total: 10, validator: nil)
        let reports = (1...100).flatMap { number in
            [
                TransferReport.began(start), .progressed(bytes: 10),
                .ended(.completed(length: 10, lengthProven: true)),
            ]
            .map { (JobID(rawValue: Int64(number)), $0) }
        }
        try harness.turn(.transfers(reports))
        #expect(harness.outside.all.sealed.count == 100)
        let sealed = (1...100).map { number in
            let partial = SealedPartial(inode: UInt64(number), length: 10, sha256: "ab")
            let report = StorageReport.sealed(partial, path: "/p", freeName: "\(number).jpg")
            return (JobID(rawValue: Int64(number)), report)
        }
        try harness.turn(.storage(sealed))
        #expect(harness.store.commits == before + 1)
        #expect(harness.outside.all.published.count == 100)
    }

    @Test("A cut transfer waits, the engine asks to be woken, and tries again then")
    func retry() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1))
        try harness.report(1, .ended(.interrupted(JobFailure(.http(503), "busy"), retryAfter: 30)))
        let wake = try #require(try harness.turn())
        #expect(wake >= harness.now.adding(seconds: 29))
        #expect(harness.outside.all.started.count == 1)
        harness.now = wake
        try harness.turn()
        #expect(harness.outside.all.started.count == 2)
    }

    @Test("What waits for its next try still waits after a restart")
    func retryAfterRestart() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1))
        try harness.report(1, .ended(.interrupted(JobFailure(.http(503), "busy"), retryAfter: 30)))
        let until = try #require(try harness.stored(1)?.waiting?.until)
        try harness.restart()
        #expect(try harness.turn() == until)
        harness.now = until
        try harness.turn()
        #expect(harness.outside.all.started.map(\.job.rawValue) == [1])
    }

    @Test("After a crash every unfinished job is taken up, and no finished one again")
    func recovery() throws {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 3, perHost: 3), boot: "one")
        )
        _ = try harness.submit(urls(4))
        try harness.download(1)
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted)))
        let start = TransferStart(mode: .fresh, offset: 0, total: 100, validator: .entityTag("\"v\""))
        try harness.report(2, .began(start), .progressed(bytes: 42))
        try harness.untilWritten()
        let sealed = SealedPartial(inode: 3, length: 100, sha256: "ab")
        try harness.report(3, .began(start), .ended(.completed(length: 100, lengthProven: true)))
        try harness.report(3, .sealed(sealed, path: "/p/3.part", freeName: "3.jpg"))
        harness.outside.change { notes in
            notes.lengths[JobID(rawValue: 2)] = 42
            notes.publications[JobID(rawValue: 3)] = .published(path: "/d/3.jpg")
        }
        try harness.restart()
        #expect(harness.outside.all.started.map(\.job.rawValue).sorted() == [2, 4])
        let resumed = harness.outside.all.started.first { $0.job.rawValue == 2 }
        #expect(resumed?.resume == ResumePoint(offset: 42, total: 100, validator: .entityTag("\"v\"")))
        #expect(harness.outside.all.detecting.map(\.rawValue) == [3])
        #expect(try harness.stored(3)?.path == "/d/3.jpg")
        #expect(!harness.outside.lines.contains { $0.hasPrefix("j1 ") })
    }

    @Test("A held gate defers documents, and they go in order when it opens, also after a restart")
    func gate() throws {
        let harness = try EngineHarness(JobEngineConfiguration(detections: 1))
        _ = try harness.submit(urls(3))
        try harness.turn(.setGate(open: false, reply: Answer().give))
        for job in [2, 1, 3] { try harness.download(Int64(job)) }
        #expect(harness.outside.all.detecting.isEmpty)
        #expect(harness.outside.lines.filter { $0.contains("deferred face detection") }.count == 3)
        try harness.restart()
        #expect(harness.outside.all.detecting.isEmpty)
        #expect(harness.outside.lines.isEmpty, "it was said once")
        try harness.turn(.setGate(open: true, reply: Answer().give))
        #expect(harness.outside.all.detecting.count == 1)
    }

    @Test("Memory holds no more machines than there is work under way")
    func machines() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(500))
        #expect(harness.core.bench.jobs.count <= 6 * 10 + 16 * 8)
        try harness.download(1)
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted)))
        #expect(harness.core.bench.jobs[JobID(rawValue: 1)] == nil)
    }

    @Test("A job that gets its permit in the turn that accepts it is fetched, however many came before it")
    func slotInAcceptingTurn() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(300) + urls(5, host: "other.org"))
        #expect(harness.outside.all.started.map(\.job.rawValue) == Array(1...6) + Array(301...305))
        try harness.untilWritten()
        #expect(harness.core.status.jobsByState == [.queued: 294, .downloading: 11])
    }

    @Test("A stop that was meant for a transfer that has ended doesn't reach the next one")
    func voidStop() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1))
        let url = try JobURL("http://example.org/new.jpg")
        try harness.turn(
            .steer(.retry(url: url), JobID(rawValue: 1), reply: Answer<Job>().give),
            .transfers([
                (
                    JobID(rawValue: 1),
                    .ended(.interrupted(JobFailure(.connectionLost, "cut"), retryAfter: nil))
                )
            ])
        )
        #expect(harness.outside.all.started.map(\.url.text) == ["http://example.org/1.jpg", url.text])
        #expect(harness.outside.all.stopped.isEmpty)
    }

    @Test("Without a default route no try counts, except to this machine itself")
    func offline() throws {
        let configuration = JobEngineConfiguration(hasDefaultRoute: { false })
        for (host, state) in [("example.org", JobState.waiting), ("127.0.0.1", .failed)] {
            let harness = try EngineHarness(configuration)
            _ = try harness.submit(urls(1, host: host))
            let failures = Array(repeating: JobFailure(.unresolvedHost, "no address"), count: 40)
            for failure in failures + [JobFailure(.timedOut, "slow")] {
                // One that was given up is not tried again.
                guard harness.core.status.activeTransfers == 1 else { break }
                try harness.report(1, .ended(.interrupted(failure, retryAfter: nil)))
                if failure.code == .timedOut { break }
                harness.now = harness.now.adding(seconds: 700)
                try harness.turn()
            }
            #expect(try harness.stored(1)?.state == state)
        }
    }
}
