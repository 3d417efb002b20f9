import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what people ask of jobs.
struct EngineSteeringTests {
    private func urls(_ count: Int, host: String = "example.org") -> [String] {
        (1...count).map { "http://\(host)/\($0).jpg" }
    }

    @Test("One request steers a hundred jobs, in slices, and says how many it changed")
    func steerAll() throws {
        let harness = try EngineHarness(JobEngineConfiguration(sliceSize: 7))
        _ = try harness.submit(urls(50))
        let answer = Answer<Int>()
        try harness.turn(.steerAll(.pause, reply: answer.give))
        while answer.value == nil { try harness.turn() }
        #expect(try answer.value?.get() == 50)
        #expect(harness.core.status.jobsByState == [.paused: 50])
        #expect(harness.outside.all.stopped.count == 6)
        let again = Answer<Int>()
        try harness.turn(.steerAll(.pause, reply: again.give))
        while again.value == nil { try harness.turn() }
        #expect(try again.value?.get() == 0)
    }

    @Test(
        "With a new URL a job's header fields serve who submitted it, and root, also after a start",
        arguments: [(UInt32(1000), true), (0, true), (1001, false), (nil, false)]
    )
    func headersServeTheirOwner(user: UInt32?, isKept: Bool) throws {
        let secret = try RequestHeader(name: "Authorization", value: "Bearer s3cret")
        let url = try JobURL("http://example.org/other.jpg")
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1), headers: [secret], by: 1000)
        #expect(try harness.steer(.retry(url: nil, by: user), 1).get().headers == [secret])
        let job = try harness.steer(.retry(url: url, by: user), 1).get()
        #expect(job.url == url && job.headers == (isKept ? [secret] : []))
        #expect(try harness.stored(1)?.headers == job.headers)
    }

    @Test("A job that nobody is known to have submitted keeps its header fields for root alone")
    func headersOfNobody() throws {
        let secret = try RequestHeader(name: "Authorization", value: "Bearer s3cret")
        for (user, isKept) in [(UInt32(0), true), (1000, false)] {
            let harness = try EngineHarness()
            _ = try harness.submit(urls(1), headers: [secret])
            let url = try JobURL("http://example.org/other.jpg")
            let job = try harness.steer(.retry(url: url, by: user), 1).get()
            #expect(job.headers == (isKept ? [secret] : []))
        }
    }

    @Test("Steering answers with the job as it is then; what isn't possible says why")
    func steer() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1))
        #expect(try harness.steer(.pause, 1).get().state == .paused)
        #expect(try harness.stored(1)?.state == .paused)
        #expect(try harness.steer(.prioritize(5), 1).get().priority == 5)
        #expect(try harness.steer(.cancel, 1).get().state == .cancelled)
        #expect(throws: ControlError.self) { try harness.steer(.detect(), 1).get() }
        #expect(try harness.steer(.pause, 9) == .failure(.noSuchJob(JobID(rawValue: 9))))
    }

    @Test("Whoever has been answered finds what they did in the status")
    func statusBeforeAnswers() throws {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 1, perHost: 1)))
        let (posted, paused) = (Answer<AcceptedBatch>(), Answer<Int>())
        var seen: [[JobState: Int]] = []
        harness.core.beforeAnswers = { core in
            seen.append(core.status.jobsByState)
            #expect(posted.value == nil || seen.count > 1 && paused.value == nil)
        }
        let items = try (1...3).map { NewJob(url: try JobURL("http://example.org/\($0).jpg")) }
        try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: posted.give))
        #expect(posted.value != nil && seen == [[.queued: 3]])
        try harness.turn()
        try harness.turn(.steerMany(.pause, (2...3).map { JobID(rawValue: $0) }, reply: paused.give))
        #expect(paused.value == .success(2) && seen.last == [.paused: 2, .queued: 1])
        #expect(seen.count == 2, "who isn't answered needs no other status")
    }
}
