import EngineSupport
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what becomes of what people ask of one job, or of all.
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
        try SteeringWork(bench: bench)
            .steer(action, job, isHidden: isHidden, now: parts.now, reply: answer.give)
        return answer
    }

    /// Takes a turn, which handles two jobs.
    private func turn(_ steering: inout SteeringWork, isHidden: (JobID) -> Bool = { _ in false }) throws {
        var budget = WorkBudget(jobs: 2, sharedBy: steering.count)
        steering.beginTurn()
        var goesOn = true
        while goesOn, !budget.isSpent {
            goesOn = try steering.takeSlice(&budget, now: parts.now, isHidden: isHidden)
        }
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
        var steering = SteeringWork(bench: bench)
        steering.steerAll(engine, upTo: jobs[0], reply: all.give)
        #expect(all.value == .failure(.noSuchEngine(.yunet)) && steering.count == 0)
    }

    @Test("All jobs are gone through by slices, and those are counted that it changed")
    func all() throws {
        let jobs = try parts.accept(5)
        _ = try steer(.pause, jobs[4])
        try parts.commit()
        var steering = SteeringWork(bench: bench)
        let answer = Answer<Int>()
        steering.steerAll(.cancel, upTo: jobs[4], reply: answer.give)
        for cancelled in [2, 3] {
            try turn(&steering, isHidden: { $0 == jobs[3] })
            try parts.commit()
            #expect(steering.count > 0 && answer.value == nil)
            #expect(try parts.store.jobIDs(in: [.cancelled]).count == cancelled)
        }
        try turn(&steering, isHidden: { $0 == jobs[3] })
        try parts.commit()
        #expect(answer.value == .success(4))
        #expect(try parts.stored(jobs[3])?.state == .queued, "one that is hidden is nobody's to steer")
    }

    @Test("Who asks for all jobs waits for who asked before, and gets those that there were then")
    func oneAfterTheOther() throws {
        let jobs = try parts.accept(3)
        var steering = SteeringWork(bench: bench)
        let answers = (0..<50).map { _ in Answer<Int>() }
        for (index, answer) in answers.enumerated() {
            steering.steerAll(index.isMultiple(of: 2) ? .pause : .resume, upTo: jobs[2], reply: answer.give)
        }
        let cancelled = Answer<Int>()
        steering.steerAll(.cancel, upTo: jobs[2], reply: cancelled.give)
        let later = try parts.accept(1)
        var turns = 0
        while steering.count > 0 {
            // However many ask, a turn takes one slice.
            let paused = try parts.store.jobIDs(in: [.paused]).count
            try turn(&steering)
            try parts.commit()
            #expect(abs(try parts.store.jobIDs(in: [.paused]).count - paused) <= 2)
            turns += 1
        }
        #expect(turns == 2 * (answers.count + 1))
        #expect(answers.allSatisfy { $0.value == .success(3) } && cancelled.value == .success(3))
        #expect(try parts.stored(later[0])?.state == .queued)
    }

    @Test(
        "Who steers other jobs needn't wait for those who asked before, and who steers the same comes after them"
    )
    func turns() throws {
        let jobs = try parts.accept(24)
        var steering = SteeringWork(bench: bench)
        let answers = (0..<4).map { _ in Answer<Int>() }
        steering.steer(.pause, Array(jobs[0..<20]), reply: answers[0].give)
        steering.steer(.resume, [jobs[19], jobs[18]], reply: answers[1].give)
        steering.steer(.pause, [jobs[23], jobs[21]], reply: answers[2].give)
        steering.steer(.pause, [], reply: answers[3].give)
        try turn(&steering)
        try parts.commit()
        #expect(answers[3].value == .success(0))
        try turn(&steering)
        try parts.commit()
        #expect(answers[2].value == .success(2), "it is about other jobs")
        #expect(answers[0].value == nil && answers[1].value == nil)
        while steering.count > 0 {
            try turn(&steering)
            try parts.commit()
        }
        #expect(answers[0].value == .success(20) && answers[1].value == .success(2))
        #expect(try parts.store.jobIDs(in: [.paused]).count == 20)
        #expect(try parts.stored(jobs[19])?.state == .queued)
    }

    @Test("Who steers jobs in some states gets those that are in them once what was asked before is done")
    func statesAtTheirTurn() throws {
        let jobs = try parts.accept(6)
        for job in jobs.dropLast() { _ = try steer(.pause, job) }
        _ = try steer(.cancel, jobs[5])
        try parts.commit()
        var steering = SteeringWork(bench: bench)
        let answers = (0..<3).map { _ in Answer<Int>() }
        steering.steerAll(.resume, upTo: jobs[5], reply: answers[0].give)
        // They are paused still.
        steering.steer(.pause, jobs, in: SteeringAction.pause.sensibleStates, reply: answers[1].give)
        steering.steer(.retry(url: nil), jobs, in: [.failed, .waiting], reply: answers[2].give)
        while steering.count > 0 {
            try turn(&steering)
            try parts.commit()
        }
        #expect(answers.map { try? $0.value?.get() } == [5, 5, 0])
        #expect(try parts.store.jobIDs(in: [.paused]).count == 5)
        #expect(try parts.stored(jobs[5])?.state == .cancelled, "one that was cancelled isn't tried again")
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
        let jobs = try parts.accept(5)
        var steering = SteeringWork(bench: bench)
        let answer = Answer<Int>()
        steering.steerAll(.pause, upTo: jobs[4], reply: answer.give)
        try turn(&steering)
        steering.abandon()
        #expect(answer.value == .failure(.stopping))
    }
}
