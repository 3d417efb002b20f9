import JobCore
import JobModel
import Testing
import Vocabulary

@Suite("A job and the lease of its batch")
struct JobMachineLeaseTests {
    private static let cut = JobFailure(.connectionLost, "the connection broke")

    @Test("It holds what is queued, and stops what is being fetched, which keeps its partial")
    func holds() throws {
        var queued = try MachineHarness()
        try queued.feed(.hold)
        #expect(queued.state == .paused && queued.job.isHeld && !queued.isQueued)
        #expect(queued.events == [.paused(name: "a.jpg")])
        var fetching = try MachineHarness()
        try fetching.grantPermit()
        try fetching.begin(.fresh, offset: 0)
        try fetching.progress(60)
        try fetching.feed(.hold)
        #expect(fetching.state == .paused && fetching.isAskedToStop)
        try fetching.end(.stopped)
        #expect(fetching.partialLength == 60 && !fetching.hasPermit)
        try fetching.feed(.release)
        #expect(fetching.state == .queued && !fetching.job.isHeld && fetching.isQueued)
    }

    @Test(
        "What has arrived goes on, and what has ended stays as it is",
        arguments: [JobState.stored, .detecting, .done, .failed, .cancelled]
    )
    func leavesAlone(state: JobState) throws {
        var harness = try MachineHarness()
        try JobMachineWalkTests.bring(&harness, to: state)
        harness.events = []
        try harness.feed(.hold)
        try harness.feed(.release)
        #expect(harness.state == state && harness.events.isEmpty && !harness.job.isHeld)
    }

    @Test("A file that is on its way to its name gets there")
    func publishes() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin(.fresh, offset: 0)
        try harness.progress(100)
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.feed(.hold)
        #expect(harness.state == .downloading)
        try harness.seal()
        try harness.feed(.hold)
        try harness.publish()
        #expect(harness.state == .stored)
    }

    @Test("It is no new beginning: a job knows how often it has tried")
    func triesStay() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.end(.interrupted(Self.cut, retryAfter: nil))
        let tries = harness.job.fruitlessTries
        #expect(tries > 0 && harness.state == .waiting)
        try harness.feed(.hold)
        #expect(harness.state == .waiting)
        try harness.feed(.retryDue)
        try harness.feed(.hold)
        try harness.feed(.release)
        #expect(harness.state == .queued && harness.job.fruitlessTries == tries)
    }

    @Test("What a person has paused, before or since, only a person lets go on")
    func ofAPerson() throws {
        var before = try MachineHarness()
        try before.feed(.pause)
        try before.feed(.hold)
        try before.feed(.release)
        #expect(before.state == .paused && !before.job.isHeld)
        var since = try MachineHarness()
        try since.feed(.hold)
        try since.feed(.pause)
        try since.feed(.release)
        #expect(since.state == .paused && !since.job.isHeld)
        try since.feed(.resume)
        #expect(since.state == .queued)
    }

    @Test("Nobody lets a job go on against the lease; it can be cancelled")
    func refuses() throws {
        var harness = try MachineHarness()
        try harness.feed(.hold)
        for request in [JobInput.resume, .retry(nil), .retry(try JobURL("https://example.org/b.jpg"))] {
            try harness.feed(request)
            #expect(
                harness.refusal?.contains("lease") == true && harness.state == .paused && harness.job.isHeld
            )
        }
        try harness.feed(.cancel)
        #expect(harness.state == .cancelled && !harness.job.isHeld)
        try harness.feed(.retry(nil))
        #expect(harness.state == .queued)
    }
}
