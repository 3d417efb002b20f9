import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Hours and metered connections, through the whole engine.
@Suite("The engine, and when downloads are allowed")
struct EngineHoursTests {
    /// 2026-11-21T06:45:03Z, when the harness begins, is a Saturday.
    private static func saturday(_ entries: (minute: Int, rule: Hours.Rule)...) -> Timetable {
        Timetable(entries.map { Timetable.Entry(minute: 5 * 1440 + $0.minute, rule: $0.rule) })
    }

    private func configuration(
        _ table: Timetable,
        rate: Int64? = nil,
        holds: Bool = false
    ) -> JobEngineConfiguration {
        JobEngineConfiguration(
            transfers: TransferQueue.Limits(total: 2, perHost: 2),
            boot: "boot-1",
            hours: TransferHours(timetable: table, rateLimit: rate, holdsOnMetered: holds)
        )
    }

    private func begin(_ harness: EngineHarness, _ job: Int64, bytes: Int64, validator: Validator?) throws {
        harness.outside.change { $0.lengths[JobID(rawValue: job)] = bytes }
        try harness.report(
            job,
            .began(TransferStart(mode: .fresh, offset: 0, total: 1 << 20, validator: validator)),
            .progressed(bytes: bytes)
        )
    }

    private let urls = (1...3).map { "http://example.org/\($0).jpg" }

    @Test("A pause begins by itself, stops what is under way, and ends by itself, where everything goes on")
    func pause() throws {
        let harness = try EngineHarness(configuration(Self.saturday((407, .pause), (420, .unlimited))))
        let wake = try #require(try harness.turn())
        #expect(wake.seconds(since: harness.now) <= 30)
        _ = try harness.submit(urls)
        try begin(harness, 1, bytes: 1000, validator: .entityTag("\"v1\""))
        // Nothing of this one could be used later, and still it stops.
        try begin(harness, 2, bytes: 1 << 17, validator: nil)
        #expect(harness.core.status.holds.isEmpty)

        harness.now = harness.now.adding(seconds: 120)
        let end = try #require(try harness.turn())
        #expect(Set(harness.outside.all.stopped.map(\.rawValue)) == [1, 2])
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.kind == .hours && hold.reason.contains("transfer.timetable"))
        #expect(hold.until?.wall.rfc3339 == "2026-11-21T07:00:00.000Z")
        #expect(end.seconds(since: harness.now) <= 30)
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        #expect(harness.outside.all.started.count == 2 && harness.outside.all.discarded.isEmpty)
        for job in 1...3 as ClosedRange<Int64> { #expect(try harness.stored(job)?.state == .queued) }
        _ = try harness.submit(["http://example.org/4.jpg"])
        #expect(harness.outside.all.started.count == 2, "what comes meanwhile waits, too")

        harness.now = Moment(microseconds: harness.now.wall.microseconds + 13 * 60 * 1_000_000)
        try harness.turn()
        #expect(harness.core.status.holds.isEmpty)
        let again = harness.outside.all.started.suffix(2)
        // The new batch has had nothing yet.
        #expect(again.map(\.job.rawValue) == [4, 1])
        #expect(again.last?.resume?.offset == 1000)
        #expect(!harness.outside.lines.contains { $0.contains("paused") || $0.contains("waiting") })
    }

    @Test("The lower of two rates holds, and is told")
    func rates() throws {
        let harness = try EngineHarness(
            configuration(
                Self.saturday((0, .atMost(500)), (407, .atMost(5000)), (420, .unlimited)),
                rate: 1000
            )
        )
        try harness.turn()
        #expect(harness.outside.all.rates == [500])
        #expect(harness.core.status.rateLimit == 500)
        #expect(harness.core.status.rateLimitUntil?.wall.rfc3339 == "2026-11-21T06:47:00.000Z")
        harness.now = harness.now.adding(seconds: 120)
        try harness.turn()
        // The timetable's rate is passed on as it is; the transfers know the other one.
        #expect(harness.outside.all.rates == [500, 5000])
        #expect(harness.core.status.rateLimit == 1000 && harness.core.status.rateLimitUntil == nil)
        harness.now = harness.now.adding(seconds: 800)
        try harness.turn()
        #expect(harness.outside.all.rates == [500, 5000, nil])
    }

    @Test("Another timetable holds at once")
    func reload() throws {
        let harness = try EngineHarness(configuration(Self.saturday((0, .pause), (1, .pause))))
        _ = try harness.submit(urls)
        #expect(harness.outside.all.started.isEmpty)
        #expect(harness.core.status.holds.map(\.kind) == [.hours])
        #expect(harness.core.status.holds.first?.until == nil)
        try harness.turn(.reconfigure(configuration(Timetable([]))))
        #expect(harness.outside.all.started.count == 2)
        #expect(harness.core.status.holds.isEmpty)
    }

    @Test("Over a metered connection nothing is downloaded, if the settings say so")
    func metered() throws {
        let harness = try EngineHarness(configuration(Timetable([])))
        try harness.turn(.metered(true))
        _ = try harness.submit(urls)
        #expect(harness.outside.all.started.count == 2, "nobody has asked for that")
        try begin(harness, 1, bytes: 1000, validator: .entityTag("\"v1\""))
        try harness.turn(.reconfigure(configuration(Timetable([]), holds: true)))
        #expect(Set(harness.outside.all.stopped.map(\.rawValue)) == [1, 2])
        #expect(harness.core.status.holds.map(\.kind) == [.metered])
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        try harness.turn(.metered(false))
        #expect(harness.core.status.holds.isEmpty)
        #expect(harness.outside.all.started.count == 4)
    }

    @Test("What is in view takes nobody's place while nothing may be downloaded")
    func attention() throws {
        let harness = try EngineHarness(configuration(Self.saturday((0, .pause))))
        _ = try harness.submit(urls)
        let answer = Answer<Void>()
        let tab = Attention.Client(user: 1000, name: "tab")
        let wake = try harness.turn(.attend(tab, visible: [JobID(rawValue: 3)], near: [], reply: answer.give))
        #expect(harness.outside.all.started.isEmpty && harness.outside.all.stopped.isEmpty)
        #expect(try #require(wake).seconds(since: harness.now) > 1, "it doesn't turn in circles")
    }
}
