import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

/// The machine decides about a resting job as about the whole job.
struct RestingJobTests {
    private let now = Moment(microseconds: 1_795_243_503_000_000)

    private func context() -> JobContext {
        JobContext(now: now, retry: RetryPolicy(), generator: SystemRandomNumberGenerator(), lastEnding: 7)
    }

    /// A job with everything that a resting job doesn't describe.
    private func whole(_ state: JobState, hasDocument: Bool, hasPartial: Bool) throws -> Job {
        var job = Job(
            id: JobID(rawValue: 3),
            batch: BatchID(rawValue: 2),
            createdAt: now,
            url: try JobURL("http://example.org/a.jpg"),
            name: "a.jpg"
        )
        job.state = state
        job.priority = 4
        job.hasGivenName = true
        job.options = JobOptions(rateLimit: 5, source: "museum", itemKey: "k", weight: 3)
        job.hasStarted = true
        job.loggedSteps = 3
        job.toldOfFullDisk = true
        job.furthestBytes = 9
        job.endings[.failed] = 4
        if hasDocument {
            (job.path, job.sha256) = ("/d/a.jpg", "abcdef0123")
            job.endings[.stored] = 5
            job.attempts = 2
            job.bytes = 100
            job.totalBytes = 100
            job.validator = .entityTag("x")
            job.documentMark = FileMark(inode: 1, length: 100, modified: 3, changed: 4)
        } else if hasPartial {
            job.attempts = 1
            job.bytes = 50
            job.partialBoot = "boot"
            job.totalBytes = 100
            job.validator = .entityTag("x")
        }
        return job
    }

    private func resting(_ job: Job) -> RestingJob {
        var resting = RestingJob(
            id: job.id,
            batch: job.batch,
            createdAt: job.createdAt,
            state: job.state,
            name: job.name,
            host: job.url.hostKey,
            priority: job.priority,
            flow: job.flow,
            weight: job.weight
        )
        resting.hasDocument = job.path != nil
        resting.isDeferred = job.detectionDeferred
        return resting
    }

    private static let inputs: [JobInput] = [.pause, .resume, .cancel]

    @Test("Events, moves, effects and the job afterwards are the same", arguments: inputs, [false, true])
    func same(input: JobInput, isDeferred: Bool) throws {
        var tried = 0
        for state in [JobState.queued, .stored, .paused] {
            for hasDocument in [false, true] where state == .paused || hasDocument == (state == .stored) {
                // What may have a partial is not cancelled in this way.
                for hasPartial in [false, true] where !hasPartial || input != .cancel {
                    var before = try whole(state, hasDocument: hasDocument, hasPartial: hasPartial)
                    before.detectionDeferred = isDeferred
                    var machine = JobMachine(job: before)
                    var small = JobMachine(job: resting(before).job)
                    let smallBefore = small.job
                    var (first, second) = (context(), context())
                    let expected = machine.handle(input, in: &first)
                    let decision = small.handle(input, in: &second)
                    #expect(decision.events == expected.events)
                    #expect(decision.moves == expected.moves)
                    #expect(decision.effects == expected.effects)
                    #expect(decision.refusal == expected.refusal)
                    #expect(decision.isDirty == expected.isDirty && !decision.canWait)
                    #expect(first.lastEnding == second.lastEnding)
                    let change = try #require(RestingChange(from: smallBefore, to: small.job))
                    change.apply(to: &before)
                    #expect(before == machine.job)
                    tried += 1
                }
            }
        }
        #expect(tried >= 4)
    }

    @Test("A change of anything else can't be described")
    func others() throws {
        let before = try whole(.queued, hasDocument: false, hasPartial: false)
        var after = before
        (after.state, after.priority) = (.paused, 9)
        #expect(RestingChange(from: before, to: after) == nil)
        (after.state, after.priority) = (.cancelled, before.priority)
        #expect(RestingChange(from: before, to: after) == nil, "without a number")
    }

    @Test("Consecutive jobs share a change, which also applies to jobs that are read before it is written")
    func changes() throws {
        var changes = RestingChanges()
        var context = context()
        func rest(_ number: Int64, _ input: JobInput, batch: Int64 = 2) throws {
            var words = resting(try whole(.queued, hasDocument: false, hasPartial: false))
            words.id = JobID(rawValue: number)
            words.batch = BatchID(rawValue: batch)
            var machine = JobMachine(job: words.job)
            _ = machine.handle(input, in: &context)
            changes.append(try #require(RestingChange(from: words.job, to: machine.job)))
        }
        for number: Int64 in [1, 2, 3, 5, 6] { try rest(number, .cancel) }
        for number: Int64 in [7, 8] { try rest(number, .pause) }
        try rest(9, .pause, batch: 3)
        let runs = changes.all.map { [$0.jobs.lowerBound.rawValue, $0.jobs.upperBound.rawValue] }
        #expect(runs == [[1, 3], [5, 6], [7, 8], [9, 9]])
        #expect(changes.all.map { $0.ending?.first } == [8, 11, nil, nil])
        #expect(!changes.contains(JobID(rawValue: 4)) && changes.contains(JobID(rawValue: 6)))
        var job = try whole(.queued, hasDocument: false, hasPartial: false)
        job.options = JobOptions(headers: [try RequestHeader(name: "Authorization", value: "secret")])
        changes.amend(&job)
        #expect(job.state == .cancelled && job.headers.isEmpty && job.finishedAt == now)
        #expect(job.endings[.cancelled] == 10)
    }
}
