import EngineSupport
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of who gets a permit, with how much of a partial, and what follows from what transfers tell.
struct TransferWorkTests {
    private let failure = JobFailure(.connectFailed, "the host does not answer")

    private func start(_ total: Int64?, at offset: Int64 = 0) -> TransferReport {
        let mode: TransferStart.Mode = offset > 0 ? .resumed : .fresh
        return .began(TransferStart(mode: mode, offset: offset, total: total, validator: .sample))
    }

    @Test("Permits go to the jobs that are next, within the limits")
    func permits() throws {
        let parts = try PartBench(JobEngineConfiguration(transfers: .init(total: 3, perHost: 2)))
        var transfers = TransferWork(bench: parts.bench)
        try parts.accept(4)
        let elsewhere = try parts.accept(.sample(1, host: "example.net"))
        try parts.begin(&transfers)
        #expect(
            parts.outside.all.started.map(\.job.rawValue) == [1, elsewhere[0].rawValue, 2],
            "batches take turns"
        )
        #expect(parts.bench.queues.transfers.activeCount == 3)
    }

    @Test("A permit for a job that is gone from the store is given to the next one")
    func gone() throws {
        let parts = try PartBench(JobEngineConfiguration(transfers: .init(total: 1, perHost: 1)))
        var transfers = TransferWork(bench: parts.bench)
        let flow = Flow.batch(BatchID(rawValue: 1))
        parts.bench.queues.transfers.enqueue(
            JobID(rawValue: 9),
            host: "example.org:80",
            priority: 100,
            of: flow
        )
        let jobs = try parts.accept(1)
        try parts.begin(&transfers)
        #expect(parts.outside.all.started.map(\.job) == jobs)
    }

    @Test("A retry comes when it is due, and not where somebody has steered the job away")
    func retries() throws {
        let parts = try PartBench()
        var transfers = TransferWork(bench: parts.bench)
        let jobs = try parts.accept(2)
        try parts.begin(&transfers)
        for job in jobs {
            try transfers.handle(.ended(.interrupted(failure, retryAfter: 30)), of: job, now: parts.now)
        }
        try parts.bench.step(jobs[1], .pause, now: parts.now)
        try parts.commit()
        for (later, state) in [(29.0, JobState.waiting), (2, .queued)] {
            parts.now = parts.now.adding(seconds: later)
            try transfers.takeDueRetries(now: parts.now)
            try parts.commit()
            #expect(try parts.stored(jobs[0])?.state == state)
        }
        #expect(try parts.stored(jobs[1])?.state == .paused)
        #expect(parts.bench.queues.retries.next == nil)
    }

    @Test(
        "What was only written is believed in the run of the machine that wrote it; what was synced, always",
        arguments: [("boot-1", 700), ("boot-2", 500)] as [(String, Int64)]
    )
    func believed(boot: String, length: Int64) throws {
        let parts = try PartBench(JobEngineConfiguration(boot: "boot-1"))
        var transfers = TransferWork(bench: parts.bench)
        let job = try parts.accept(1)[0]
        try parts.begin(&transfers)
        let reports: [TransferReport] = [
            start(1000), .progressed(bytes: 500), .synced(bytes: 500), .progressed(bytes: 700),
            .ended(.interrupted(failure, retryAfter: 1)),
        ]
        for report in reports { try transfers.handle(report, of: job, now: parts.now) }
        try parts.commit()
        parts.bench.reconfigure(JobEngineConfiguration(boot: boot))
        parts.outside.change {
            $0.lengths[job] = 700
            $0.started = []
        }
        parts.now = parts.now.adding(seconds: 60)
        try transfers.takeDueRetries(now: parts.now)
        try parts.begin(&transfers)
        #expect(parts.outside.all.started.first?.resume?.offset == length)
    }

    @Test("A file that has no room is stopped, leaves the others their room, and is asked for when it fits")
    func room() throws {
        let parts = try PartBench(JobEngineConfiguration(diskReserve: 100))
        var transfers = TransferWork(bench: parts.bench)
        let jobs = try parts.accept(2)
        try parts.begin(&transfers)
        parts.outside.change { $0.freeBytes = 1100 }
        transfers.beginTurn()
        try transfers.handle(start(600), of: jobs[0], now: parts.now)
        try transfers.handle(start(500), of: jobs[1], now: parts.now)
        try parts.commit()
        #expect(parts.outside.all.stopped == [jobs[1]], "600 of 1100 are promised, and 100 stay free")
        try transfers.handle(.ended(.stopped), of: jobs[1], now: parts.now)
        try parts.commit()
        parts.outside.forget()
        for (free, begun) in [(1199, []), (1200, [jobs[1]])] as [(Int64, [JobID])] {
            parts.outside.change { $0.freeBytes = free }
            parts.now = parts.now.adding(seconds: 3600)
            try transfers.takeDueRetries(now: parts.now)
            try parts.begin(&transfers)
            #expect(parts.outside.all.started.map(\.job) == begun)
        }
    }

    @Test("A large file is hashed as it grows, a small one is not, nor one that comes faster than hashing")
    func followed() throws {
        let parts = try PartBench()
        var transfers = TransferWork(bench: parts.bench)
        let jobs = try parts.accept(3)
        try parts.begin(&transfers)
        let large = PartialFollowing.leastLength
        for job in jobs { try transfers.handle(start(large * 100), of: job, now: parts.now) }
        parts.now = parts.now.adding(seconds: 1)
        let grown = [large - 1, large, large * 50]
        for (job, bytes) in zip(jobs, grown) {
            try transfers.handle(.progressed(bytes: bytes), of: job, now: parts.now)
        }
        #expect(parts.outside.all.grown == [jobs[1]: large])
    }

    @Test("Before the end, what partials hold is synced and written down")
    func settled() throws {
        let parts = try PartBench()
        var transfers = TransferWork(bench: parts.bench)
        let jobs = try parts.accept(2)
        try parts.begin(&transfers)
        try transfers.handle(start(1000), of: jobs[0], now: parts.now)
        try transfers.handle(.progressed(bytes: 700), of: jobs[0], now: parts.now)
        parts.outside.change { $0.lengths[jobs[0]] = 700 }
        try transfers.settle(now: parts.now)
        parts.bench.releaseAllHeld(now: parts.now)
        try parts.commit()
        #expect(try parts.stored(jobs[0])?.durableBytes == 700)
        #expect(try parts.stored(jobs[1])?.durableBytes == 0)
    }

    @Test("How far a transfer is, is told to who listens, once")
    func progress() throws {
        let parts = try PartBench()
        var transfers = TransferWork(bench: parts.bench)
        let job = try parts.accept(1)[0]
        try parts.begin(&transfers)
        try transfers.handle(start(1000), of: job, now: parts.now)
        parts.now = parts.now.adding(seconds: 1)
        try transfers.handle(.progressed(bytes: 400), of: job, now: parts.now)
        #expect(transfers.live[job]?.bytes == 400)
        #expect(transfers.receivedBytes == 400)
    }
}

extension Validator {
    /// One that proves a resume.
    fileprivate static var sample: Validator { .entityTag("\"v1\"") }
}
