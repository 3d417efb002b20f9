import EngineSupport
import JobCore
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what the outside is asked for, and when.
struct OutboxTests {
    private let harness: EngineHarness
    private var outside: Outside { harness.outside }
    private var ports: EnginePorts { harness.core.bench.ports }

    init() throws { harness = try EngineHarness() }

    @Test("Nothing is asked for before the commit, and everything once")
    func afterCommit() throws {
        var outbox = Outbox()
        let job = try LiveJob.sample(1).job
        let effects: [JobEffect] = [
            .startTransfer(resume: nil), .seal(wantedName: "a", mustHash: false), .syncPartial,
            .discardPartial, .confirmTransfer, .withdrawDetection,
        ]
        for effect in effects { outbox.add(effect, for: job, isEarly: false, documents: outside) }
        outbox.startEarly(outside)
        #expect(!outbox.isEmpty && outside.all.started.isEmpty && outside.all.sealed.isEmpty)
        for _ in 1...2 { outbox.perform(ports, isHashed: { _ in false }) }
        let notes = outside.all
        #expect(outbox.isEmpty && notes.started.map(\.job) == [job.id])
        for jobs in [notes.sealed, notes.synced, notes.discarded, notes.confirmed, notes.withdrawn] {
            #expect(jobs == [job.id])
        }
    }

    @Test("What nothing rests on begins before the commit")
    func early() throws {
        var outbox = Outbox()
        let job = try LiveJob.sample(1).job
        outbox.add(.startTransfer(resume: nil), for: job, isEarly: true, documents: outside)
        outbox.add(.seal(wantedName: "a", mustHash: false), for: job, isEarly: true, documents: outside)
        #expect(outside.all.sealed == [job.id])
        outbox.startEarly(outside)
        outbox.startEarly(outside)
        #expect(outbox.isEmpty && outside.all.started.map(\.job) == [job.id])
    }

    @Test("A look that is dropped in the turn that would have begun it isn't begun, unless asked for again")
    func droppedAtOnce() throws {
        var outbox = Outbox()
        let job = try LiveJob.sample(1).job
        let request = DetectionRequest(job: job.id, path: "a.jpg")
        for isAgain in [false, true] {
            outbox.look(request)
            outbox.dropLook(at: job.id)
            if isAgain { outbox.look(request) }
            outbox.perform(ports, isHashed: { _ in false })
            #expect(outside.all.detecting == (isAgain ? [job.id] : []))
            outside.forget()
        }
    }

    @Test("A recall reaches those under way at once, and those that are yet to start behind their start")
    func recalls() throws {
        var outbox = Outbox()
        let jobs = try (1...4).map { try LiveJob.sample($0).job }
        for (job, isEarly) in [(jobs[1], false), (jobs[2], true), (jobs[3], true)] {
            outbox.add(.startTransfer(resume: nil), for: job, isEarly: isEarly, documents: outside)
        }
        outbox.recall(jobs[0...2].map(\.id), from: outside)
        #expect(outside.all.recalled == jobs[0...2].map(\.id))
        outside.forget()
        outbox.startEarly(outside)
        #expect(outside.all.recalled == [jobs[2].id])
        for _ in 1...2 { outbox.perform(ports, isHashed: { _ in false }) }
        #expect(outside.all.recalled == [jobs[2].id, jobs[1].id])
    }

    @Test("A stop reaches the transfer that was started with it, and none that came after")
    func stops() throws {
        var outbox = Outbox()
        var job = try LiveJob.sample(1).job
        job.attempts = 1
        outbox.add(.startTransfer(resume: nil), for: job, isEarly: false, documents: outside)
        outbox.add(.stopTransfer, for: job, isEarly: false, documents: outside)
        outbox.perform(ports, isHashed: { _ in false })
        #expect(outside.all.stopped == [job.id])
        outside.forget()
        outbox.add(.stopTransfer, for: job, isEarly: false, documents: outside)
        job.attempts = 2
        outbox.add(.startTransfer(resume: nil), for: job, isEarly: false, documents: outside)
        outbox.perform(ports, isHashed: { _ in false })
        #expect(outside.all.stopped.isEmpty && outside.all.started.count == 1)
    }

    @Test("A hash that has come already is not asked for; jobs that never were are forgotten")
    func hashAndForget() throws {
        var outbox = Outbox()
        for number: Int64 in 1...3 {
            let hash = JobEffect.hash(Document(path: "/d/\(number)", length: 1))
            outbox.add(hash, for: try LiveJob.sample(number).job, isEarly: false, documents: outside)
        }
        outbox.forget(JobID(rawValue: 3)...JobID(rawValue: 3))
        outbox.perform(ports, isHashed: { $0.rawValue == 1 })
        #expect(outside.all.hashing.map(\.rawValue) == [2])
    }
}
