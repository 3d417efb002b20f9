import EngineSupport
import JobCore
import Testing

@testable import JobEngine

/// What becomes of what people ask of one job, or of all.
struct SteeringTests {
    private let parts: PartBench
    private var bench: Workbench { parts.bench }

    init() throws {
        parts = try PartBench(
            JobEngineConfiguration(transfers: .init(total: 1, perHost: 1), sliceSize: 2)
        )
    }

    private func steer(_ action: SteeringAction, _ job: JobID, isHidden: Bool = false) throws -> Answer<Job> {
        let answer = Answer<Job>()
        try Steering(bench: bench)
            .steer(action, job, isHidden: isHidden, now: parts.now, reply: answer.give)
        return answer
    }

    @Test("Who steers a job is answered with the job as it is once that is durable")
    func one() throws {
        let jobs = try parts.accept(1)
        let answer = try steer(.pause, jobs[0])
        #expect(answer.value == nil)
        try parts.commit()
        #expect(try answer.value?.get().state == .paused)
        #expect(try parts.stored(jobs[0])?.state == .paused)
    }

    @Test(
        "A job that isn't there can't be steered, nor one on its way in, nor one in a state for something else"
    )
    func refused() throws {
        let jobs = try parts.accept(1)
        let missing = JobID(rawValue: 9)
        #expect(try steer(.pause, missing).value == .failure(.noSuchJob(missing)))
        #expect(try steer(.pause, jobs[0], isHidden: true).value == .failure(.noSuchJob(jobs[0])))
        let answer = try steer(.detect(), jobs[0]).value
        guard case .failure(.notPossible(jobs[0], .queued, let reason)) = answer else {
            Issue.record("a queued job was looked at: \(String(describing: answer))")
            return
        }
        #expect(!reason.isEmpty && bench.ledger.isEmpty)
        let engine = SteeringAction.detect(engine: .yunet)
        #expect(try steer(engine, jobs[0]).value == .failure(.noSuchEngine(.yunet)))
        let all = Answer<Int>()
        var steering = Steering(bench: bench)
        try steering.steerAll(engine, reply: all.give)
        #expect(all.value == .failure(.noSuchEngine(.yunet)) && !steering.hasMore)
    }

    @Test("All jobs are gone through by slices, and those are counted that it changed")
    func all() throws {
        let jobs = try parts.accept(5)
        _ = try steer(.pause, jobs[4])
        try parts.commit()
        var steering = Steering(bench: bench)
        let answer = Answer<Int>()
        try steering.steerAll(.cancel, reply: answer.give)
        for cancelled in [2, 3] {
            try steering.takeSlices(now: parts.now, isHidden: { $0 == jobs[3] })
            try parts.commit()
            #expect(steering.hasMore && answer.value == nil)
            #expect(try parts.store.jobIDs(in: [.cancelled]).count == cancelled)
        }
        try steering.takeSlices(now: parts.now, isHidden: { $0 == jobs[3] })
        try parts.commit()
        #expect(answer.value == .success(4))
        #expect(try parts.stored(jobs[3])?.state == .queued, "one that is hidden is nobody's to steer")
    }

    @Test(
        "A new URL keeps a job's headers for who submitted them, and for root",
        arguments: [(7, true), (0, true), (8, false), (nil, false)] as [(UInt32?, Bool)]
    )
    func headers(user: UInt32?, keeps: Bool) throws {
        let secret = try RequestHeader(name: "Cookie", value: "s=1")
        let item = NewJob(
            url: try JobURL("http://example.org/a.jpg"),
            options: JobOptions(headers: [secret])
        )
        let job = try parts.accept(Submission(items: [item], submittedBy: 7))[0]
        var transfers = TransferWork(bench: bench)
        try parts.begin(&transfers)
        let url = try JobURL("http://example.org/b.jpg")
        _ = try steer(.retry(url: url, by: user), job)
        try parts.commit()
        let stored = try #require(try parts.stored(job))
        #expect(stored.url == url && stored.headers == (keeps ? [secret] : []))
    }

    @Test("Who still waits when the engine stops is told so")
    func abandoned() throws {
        try parts.accept(5)
        var steering = Steering(bench: bench)
        let answer = Answer<Int>()
        try steering.steerAll(.pause, reply: answer.give)
        try steering.takeSlices(now: parts.now, isHidden: { _ in false })
        steering.abandon()
        #expect(answer.value == .failure(.stopping))
    }
}
