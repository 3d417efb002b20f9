import EngineSupport
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of which documents detectors are given, and what becomes of the others.
struct DetectionWorkTests {
    /// Jobs whose documents are stored and wait; equal contents have equal bytes.
    private func stored(
        _ contents: [String],
        _ configuration: JobEngineConfiguration = JobEngineConfiguration()
    ) throws -> (parts: PartBench, jobs: [JobID]) {
        let parts = try PartBench(configuration)
        let jobs = try parts.accept(contents.count)
        for (job, content) in zip(jobs, contents) { try parts.store(job, content: content) }
        return (parts, jobs)
    }

    private func found(_ outcome: DetectionOutcome = .counted) -> DetectionResult {
        DetectionResult(outcome: outcome, engine: "haar", parameters: "p", seconds: 0.5)
    }

    @Test("As many are looked at as there are detectors, and each attempt is durable before it is made")
    func begun() throws {
        let (parts, jobs) = try stored(["a", "b", "c"], JobEngineConfiguration(detections: 2))
        var work = DetectionWork(bench: parts.bench)
        try work.begin(atMost: parts.slice, now: parts.now)
        #expect(parts.outside.all.detecting.isEmpty)
        try parts.commit()
        #expect(parts.outside.all.detecting == Array(jobs.prefix(2)))
        #expect(try parts.stored(jobs[0])?.detectionAttempts == 1)
        try work.ended(jobs[0], found(), now: parts.now)
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        #expect(try parts.stored(jobs[0])?.state == .done)
        #expect(parts.outside.all.detecting == jobs)
    }

    @Test(
        "A document whose look would begin in the turn that cancels its job, or ends the daemon, isn't looked at",
        arguments: [false, true]
    )
    func begunInVain(ends: Bool) throws {
        let (parts, jobs) = try stored(["a", "b"])
        var work = DetectionWork(bench: parts.bench)
        try work.begin(atMost: parts.slice, now: parts.now)
        if ends {
            try work.settle(now: parts.now)
        } else {
            for job in jobs { try parts.bench.step(job, .cancel, now: parts.now) }
        }
        try parts.commit()
        #expect(parts.outside.all.detecting.isEmpty)
        #expect(try jobs.allSatisfy { try parts.stored($0)?.state == (ends ? .stored : .cancelled) })
    }

    @Test("A result of this turn is shared before it is in the store, and one of the store after that")
    func shared() throws {
        let (parts, jobs) = try stored(["a", "a", "a"], JobEngineConfiguration(detections: 1))
        var work = DetectionWork(bench: parts.bench)
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        try work.ended(jobs[0], found(), now: parts.now)
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        work.committed()
        for job in jobs.dropFirst() {
            #expect(try parts.stored(job)?.detection?.sharedFrom == jobs[0])
        }
        let late = try parts.accept(1)[0]
        try parts.store(late, content: "a")
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        #expect(try parts.stored(late)?.detection?.sharedFrom == jobs[0])
        #expect(parts.outside.all.detecting == [jobs[0]])
    }

    @Test("Known results are taken by slices, so that very many of them hold nobody up")
    func slices() throws {
        let contents = Array(repeating: "a", count: 6)
        let (parts, jobs) = try stored(contents, JobEngineConfiguration(detections: 1, sliceSize: 2))
        var work = DetectionWork(bench: parts.bench)
        try work.begin(atMost: parts.slice, now: parts.now)
        try work.ended(jobs[0], found(), now: parts.now)
        for done in [3, 5] {
            try work.begin(atMost: parts.slice, now: parts.now)
            try parts.commit()
            #expect(work.hasMore)
            #expect(try parts.store.jobIDs(in: [.done]).count == done)
        }
        try work.begin(atMost: parts.slice, now: parts.now)
        #expect(!work.hasMore)
    }

    @Test("For one content the store is asked once in a turn, and the documents that waited are read at once")
    func askedOnce() throws {
        let contents = ["a", "a", "a", "a", "b"]
        let (parts, jobs) = try stored(contents, JobEngineConfiguration(detections: 2))
        var work = DetectionWork(bench: parts.bench)
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        try work.ended(jobs[0], found(), now: parts.now)
        try parts.commit()
        work.committed()
        let (read, asked) = (parts.store.read.withLock { $0.count }, parts.store.asked.withLock { $0.count })
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        let readings = parts.store.read.withLock { Array($0[read...]) }
        #expect(readings == [[jobs[1]], [jobs[2], jobs[3]]])
        let questions = parts.store.asked.withLock { Array($0[asked...]) }
        #expect(questions == ["a"])
        for job in jobs[1...3] { #expect(try parts.stored(job)?.detection?.sharedFrom == jobs[0]) }
        #expect(parts.outside.all.detecting == [jobs[0], jobs[4]])
    }

    @Test("An engine that was asked for and is gone since skips the look, and says so")
    func missingEngine() throws {
        let both = JobEngineConfiguration(engines: [.haar, .yunet])
        let (parts, jobs) = try stored(["a"], both)
        var work = DetectionWork(bench: parts.bench)
        try work.begin(atMost: parts.slice, now: parts.now)
        try work.ended(jobs[0], found(), now: parts.now)
        try parts.bench.step(jobs[0], .detect(DetectionDemand(engine: .yunet)), now: parts.now)
        parts.bench.reconfigure(JobEngineConfiguration(engines: [.haar]))
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        let result = try #require(try parts.stored(jobs[0])?.detection)
        #expect(result.outcome == .skipped && result.engine == "yunet")
    }

    @Test("A document that ended its detector twice has crashed, and nobody looks at it a third time")
    func crashed() throws {
        let (parts, jobs) = try stored(["a"])
        var work = DetectionWork(bench: parts.bench)
        for attempt in 1...2 {
            try work.begin(atMost: parts.slice, now: parts.now)
            try parts.commit()
            #expect(parts.outside.all.detecting.count == attempt)
            try work.ended(jobs[0], found(.crashed), now: parts.now)
            try parts.commit()
        }
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        #expect(try parts.stored(jobs[0])?.detection?.outcome == .crashed)
        #expect(parts.outside.all.detecting.count <= 2)
    }

    @Test("Detectors that end with the daemon are no fault of the documents")
    func settled() throws {
        let (parts, jobs) = try stored(["a"])
        var work = DetectionWork(bench: parts.bench)
        try work.begin(atMost: parts.slice, now: parts.now)
        try parts.commit()
        try work.settle(now: parts.now)
        try parts.commit()
        let job = try #require(try parts.stored(jobs[0]))
        #expect(job.state == .stored && job.detectionAttempts == 0)
    }
}

extension PartBench {
    /// Has a queued job's document stored, as if a transfer had brought it.
    fileprivate func store(_ job: JobID, content: String) throws {
        var transfers = TransferWork(bench: bench)
        try begin(&transfers)
        let start = TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)
        let reports: [TransferReport] = [
            .began(start), .progressed(bytes: 100), .ended(.completed(length: 100, lengthProven: true)),
        ]
        for report in reports { try transfers.handle(report, of: job, now: now) }
        let number = job.rawValue
        let path = "/d/\(number).jpg"
        let mark = FileMark(inode: UInt64(number), length: 100, modified: number, changed: number)
        outside.change { $0.marks[path] = mark }
        let sealed = SealedPartial(
            inode: mark.inode,
            length: mark.length,
            sha256: content,
            modified: mark.modified
        )
        let free = "\(number).jpg"
        try bench.step(job, .storage(.sealed(sealed, path: "/p/\(number).part", freeName: free)), now: now)
        try bench.step(job, .storage(.published(path: path, mark: mark)), now: now)
        try commit()
    }
}
