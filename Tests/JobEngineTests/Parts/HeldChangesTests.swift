import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what is held back, and until when.
struct HeldChangesTests {
    private let begin = Moment(microseconds: 1_795_243_503_000_000)

    private func at(_ seconds: Double) -> Moment { begin.adding(seconds: seconds) }

    @Test("Each change is due a tenth of a second after it was first held, however often it grew since")
    func due() throws {
        var held = HeldChanges()
        let (first, second) = (try LiveJob.sample(2), try LiveJob.sample(1))
        held.hold([], of: first, now: at(0))
        held.hold([], of: second, now: at(0.06))
        held.hold([], of: first, now: at(0.09))
        #expect(held.dueAt == at(0.1))
        #expect(held.due(now: at(0.09)).isEmpty)
        #expect(held.due(now: at(0.1)).map(\.job.id) == [first.job.id])
        #expect(held.release(first.job.id).isEmpty)
        #expect(held.dueAt == at(0.16))
        #expect(held.due(now: at(0.2)).map(\.job.id) == [second.job.id])
    }

    @Test("What is held of a job that has yet to begin is looked at again after as long")
    func waiting() throws {
        var held = HeldChanges()
        for number: Int64 in [1, 2] { held.hold([], of: try LiveJob.sample(number), now: at(0)) }
        #expect(held.due(now: at(0.12), besides: [JobID(rawValue: 1)]).map(\.job.id.rawValue) == [2])
        #expect(held.release(JobID(rawValue: 2)).isEmpty)
        #expect(held.dueAt == at(0.22))
        #expect(held.due(now: at(0.22)).map(\.job.id.rawValue) == [1])
    }

    @Test("What is held of a job comes out once, in the order in which it was decided")
    func release() throws {
        var held = HeldChanges()
        let job = try LiveJob.sample(1)
        held.hold([.sample(1, 10)], of: job, now: at(0))
        held.hold([.sample(1, 20), .sample(1, 30)], of: job, now: at(0.01))
        #expect(held.release(job.job.id).map(\.kind) == [10, 20, 30].map(JobEvent.Kind.percent))
        #expect(held.release(job.job.id).isEmpty)
        #expect(held.dueAt == nil)
    }

    @Test("All that is held goes in the order of the jobs; jobs that never were are forgotten")
    func allAndForget() throws {
        var held = HeldChanges()
        for number: Int64 in [3, 1, 2] { held.hold([], of: try LiveJob.sample(number), now: at(0)) }
        held.forget(JobID(rawValue: 2)...JobID(rawValue: 9))
        #expect(held.all.map(\.job.id.rawValue) == [1])
        held.forget(JobID(rawValue: 1)...JobID(rawValue: 1))
        #expect(held.dueAt == nil && held.all.isEmpty)
    }
}

extension LiveJob {
    /// A job that has just been accepted.
    static func sample(_ number: Int64) throws -> LiveJob {
        LiveJob(
            Job(
                id: JobID(rawValue: number),
                batch: BatchID(rawValue: 1),
                createdAt: Moment(microseconds: 1_795_243_503_000_000),
                url: try JobURL("http://example.org/\(number).jpg"),
                name: "\(number).jpg"
            )
        )
    }
}

extension JobEvent {
    /// An event of a job that tells so many percent.
    static func sample(_ job: Int64, _ percent: Int, seconds: Double = 0) -> JobEvent {
        let begin = Moment(microseconds: 1_795_243_503_000_000)
        return JobEvent(
            id: 0,
            time: begin.adding(seconds: seconds),
            batchCreatedAt: begin,
            batch: BatchID(rawValue: 1),
            job: JobID(rawValue: job),
            kind: .percent(percent)
        )
    }
}

extension JobEvent.Kind {
    static func percent(_ percent: Int) -> JobEvent.Kind { .progressed(name: "a.jpg", percent: percent) }
}
