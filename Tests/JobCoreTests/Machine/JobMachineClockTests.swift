import JobCore
import JobModel
import Testing

/// Tests of what a wall clock that is set means for a job: nothing.
struct JobMachineClockTests {
    private static let year = 365.0 * 86_400
    private let failure = JobFailure(.connectFailed, "the host does not answer")

    private func failing() throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.end(.interrupted(failure, retryAfter: 30))
        return harness
    }

    @Test("A wait is as long as it was meant to be, however the wall clock is set", arguments: [-year, year])
    func wait(step: Double) throws {
        var harness = try failing()
        let until = try #require(harness.job.waiting?.until)
        harness.now.wall = harness.now.wall.adding(seconds: step)
        #expect(until.seconds(since: harness.now) == 30)
        #expect(until.wall(asOf: harness.now).seconds(since: harness.now.wall) == 30)
    }

    @Test("After a restart a wait goes on for as long as is left of it")
    func recovered() throws {
        var harness = try failing()
        let until = try #require(harness.job.waiting?.until)
        harness.now = harness.now.adding(seconds: 10)
        harness.crash()
        try harness.feed(.recovered(nil))
        #expect(harness.moves == [.wake(at: until)] && harness.effects.isEmpty)
    }

    @Test("A wait that nobody can have meant ends in an hour")
    func endless() throws {
        var harness = try failing()
        var job = harness.job
        job.waiting?.until = harness.now.adding(seconds: 100 * Self.year)
        harness.machine = JobMachine(job: job)
        try harness.feed(.recovered(nil))
        #expect(harness.moves.last == .wake(at: harness.now.adding(seconds: 3600)))
        #expect(harness.job.waiting?.until == harness.now.adding(seconds: 3600))
    }

    @Test("A job is given up for the time in which it was tried, not for that in which nobody could")
    func givingUp() throws {
        var harness = try failing()
        for gap: Double in [8 * 86_400, Self.year, 8 * 86_400] {
            // Switched off, asleep, or set forward: it comes to the same.
            harness.now = harness.now.adding(seconds: gap)
            harness.crash()
            try harness.feed(.recovered(nil))
            try harness.feed(.retryDue)
            try harness.grantPermit()
            harness.now = harness.now.adding(seconds: gap)
            try harness.end(.interrupted(failure, retryAfter: 30))
            #expect(harness.state == .waiting)
        }
    }

    @Test("Waits and tries together come to the time after which a job is given up")
    func struggled() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 1000, maximumAge: 3 * 86_400))
        var tries = 0
        while harness.state != .failed, tries < 200 {
            try harness.grantPermit()
            harness.now = harness.now.adding(seconds: 1800)
            try harness.end(.interrupted(failure, retryAfter: 3600))
            tries += 1
            guard harness.state == .waiting, let until = harness.job.waiting?.until else { continue }
            harness.now = until
            try harness.feed(.retryDue)
        }
        #expect(tries == 49, "an hour and a half each, and half an hour for the last")
        #expect(harness.job.failure?.message == "the host does not answer (for 3 days)")
    }
}
