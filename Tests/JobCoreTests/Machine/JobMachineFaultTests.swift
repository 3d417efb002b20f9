import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

@Suite("A job, and whose fault it is that an attempt brought nothing")
struct JobMachineFaultTests {
    private static let busy = JobFailure(.http(429), "the server answered 429 Too Many Requests")
    private static let unreached = JobFailure(.connectFailed, "nobody answers")

    @Test("While its host asks everybody to wait, it waits for that and no try counts, for a week at most")
    func host() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 2, maximumAge: 1000))
        for round in 1...5 {
            try harness.grantPermit()
            let until = harness.now.adding(seconds: 250)
            let hindrance = Hindrance.hostAsksToWait(host: "example.org:443", seconds: 250)
            try harness.end(.hindered(Self.busy, by: hindrance), fault: .host(until: until))
            if round == 5 { break }
            #expect(harness.state == .waiting && harness.job.waiting?.until == until)
            #expect(harness.job.fruitlessTries == 0 && harness.job.waitsForOthers)
            harness.now = until
            try harness.feed(.retryDue)
            #expect(harness.state == .queued && !harness.job.waitsForOthers)
        }
        #expect(harness.state == .failed, "it has waited for as long as give-up allows")
        #expect(harness.job.failure?.code == .http(429))
        #expect(harness.job.failure?.message.contains("(for 17 minutes)") == true)
    }

    @Test("While others of its host go first it waits on without a word, for as long as give-up allows")
    func goBehind() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 2, maximumAge: 1000))
        try harness.grantPermit()
        let hindrance = Hindrance.hostAsksToWait(host: "example.org:443", seconds: 250)
        let until = harness.now.adding(seconds: 250)
        try harness.end(.hindered(Self.busy, by: hindrance), fault: .host(until: until))
        let told = harness.events.count
        for _ in 1...3 {
            harness.now = try #require(harness.job.waiting?.until)
            let turn = harness.now.adding(seconds: 250)
            try harness.feed(.goBehind(until: turn))
            #expect(harness.state == .waiting && harness.job.waiting?.until == turn)
            #expect(harness.job.toldOf.contains(.host) && harness.events.count == told)
        }
        try harness.feed(.goBehind(until: harness.now.adding(seconds: 500)))
        #expect(harness.state == .failed)
        try harness.feed(.goBehind(until: harness.now.adding(seconds: 750)))
        #expect(harness.state == .failed)
    }

    @Test("What its host says to it alone it waits for alone, as long again each time, and no try counts")
    func alone() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 2, maximumAge: 86_400))
        let hindrance = Hindrance.hostAsksToWait(host: "example.org:443", seconds: nil)
        for wait in [30.0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            try harness.grantPermit()
            try harness.end(.hindered(Self.busy, by: hindrance), fault: .alone(seconds: nil))
            let until = try #require(harness.job.waiting?.until)
            #expect(until == harness.now.adding(seconds: wait), "\(wait)")
            #expect(harness.job.fruitlessTries == 0 && !harness.job.toldOf.contains(.host))
            harness.now = until
            try harness.feed(.retryDue)
        }
        try harness.grantPermit()
        try harness.end(.hindered(Self.busy, by: hindrance), fault: .alone(seconds: 90_000))
        #expect(harness.job.waiting?.until == harness.now.adding(seconds: 90_000))
        harness.now = harness.now.adding(seconds: 90_000)
        try harness.feed(.retryDue)
        try harness.grantPermit()
        try harness.end(.hindered(Self.busy, by: hindrance), fault: .alone(seconds: nil))
        #expect(harness.state == .failed, "it has waited for as long as give-up allows")
    }

    @Test(
        "A page, or a task for a browser, ends it where it is the file's own answer, and else waits as all do",
        arguments: [Hindrance.page(from: "http://a.example/"), .challenge(host: "a.example:80")]
    )
    func finalAlone(hindrance: Hindrance) throws {
        let failure = JobFailure(.unexpectedContentType, "text/html")
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.end(.hindered(failure, by: hindrance), fault: .shared(seconds: 0))
        #expect(harness.state == .queued && harness.job.fruitlessTries == 0)
        try harness.grantPermit()
        try harness.end(.hindered(failure, by: hindrance), fault: .own)
        #expect(harness.state == .failed && harness.job.failure == failure)
    }

    @Test("A failure of its own after that is its own again")
    func own() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        let hindrance = Hindrance.hostAsksToWait(host: "example.org:443", seconds: nil)
        let until = harness.now.adding(seconds: 30)
        try harness.end(.hindered(Self.busy, by: hindrance), fault: .host(until: until))
        harness.now = until
        try harness.feed(.retryDue)
        try harness.grantPermit()
        try harness.end(.interrupted(JobFailure(.connectionLost, "cut"), retryAfter: nil))
        #expect(harness.state == .waiting && harness.job.fruitlessTries == 1)
        #expect(!harness.job.waitsForOthers && harness.job.toldOf.isEmpty)
    }

    @Test("What holds all jobs puts it back without a word, and counts by time alone")
    func shared() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 1, maximumAge: 86_400))
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        let told = harness.events.count
        for _ in 1...24 {
            try harness.end(
                .hindered(Self.unreached, by: .unreached(host: "a:80")),
                fault: .shared(seconds: 3590)
            )
            #expect(harness.state == .queued && harness.isQueued && !harness.hasPermit)
            #expect(harness.job.fruitlessTries == 0 && harness.job.waiting == nil)
            #expect(harness.job.bytes == 42, "its partial stays")
            try harness.grantPermit()
        }
        #expect(harness.events.count == told)
        for _ in 1...2 where harness.state == .downloading {
            try harness.end(
                .hindered(Self.unreached, by: .unreached(host: "a:80")),
                fault: .shared(seconds: 3590)
            )
            if harness.state == .queued { try harness.grantPermit() }
        }
        #expect(harness.state == .failed && harness.job.failure?.message.contains("(for 1 day)") == true)
    }

    @Test("A host that can't be reached while others can counts as its own, like any other failure")
    func unreached() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 1))
        try harness.grantPermit()
        try harness.end(.hindered(Self.unreached, by: .unreached(host: "a:80")))
        #expect(harness.state == .failed && harness.job.failure?.code == .connectFailed)
    }

    @Test("Whoever can't store it because nothing can be written tries again without a word")
    func storage() throws {
        let failure = JobFailure(.storageError, "read-only")
        var sealing = try MachineHarness(retry: RetryPolicy(maximumTries: 1))
        try sealing.grantPermit()
        try sealing.begin()
        try sealing.progress(100)
        try sealing.end(.completed(length: 100, lengthProven: true))
        let told = sealing.events.count
        sealing.isSealing = false
        try sealing.feed(.storage(.sealFailed(failure, keepsPartial: true), fault: .shared(seconds: 0)))
        #expect(sealing.state == .queued && sealing.isQueued && sealing.job.bytes == 100)
        #expect(sealing.job.fruitlessTries == 0 && sealing.events.count == told)

        var storing = try MachineHarness(retry: RetryPolicy(maximumTries: 1))
        try storing.grantPermit()
        try storing.begin()
        try storing.endInMemory()
        let heard = storing.events.count
        storing.isPublishing = false
        storing.isStoring = false
        try storing.feed(.storage(.publishFailed(failure, keepsPartial: false), fault: .shared(seconds: 0)))
        #expect(storing.state == .queued && storing.isQueued)
        #expect(storing.job.fruitlessTries == 0 && storing.events.count == heard)
    }
}
