import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

struct AttentionTests {
    private let start = Moment(microseconds: 1_795_243_503_000_000)
    private let tab = Attention.Client(user: 1000, name: "tab-1")
    private let other = Attention.Client(user: 1000, name: "tab-2")

    private func jobs(_ numbers: Int64...) -> [JobID] { numbers.map(JobID.init(rawValue:)) }

    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    @Test("What a client looks at replaces what it looked at before, and what has changed is told")
    func replaces() {
        var attention = Attention()
        #expect(
            attention.look(tab, visible: jobs(1, 2), near: jobs(2, 3), now: start) == Set(jobs(1, 2, 3))
        )
        #expect(attention.interests == [job(1): .visible, job(2): .visible, job(3): .near])
        #expect(
            attention.look(tab, visible: jobs(2, 3), near: jobs(4), now: start) == Set(jobs(1, 3, 4))
        )
        #expect(attention.interests == [job(2): .visible, job(3): .visible, job(4): .near])
        #expect(attention.look(tab, visible: jobs(2, 3), near: jobs(4), now: start).isEmpty)
    }

    @Test("A lease lasts 15 seconds from when it was last renewed")
    func lapses() {
        var attention = Attention()
        _ = attention.look(tab, visible: jobs(1), near: [], now: start)
        #expect(attention.lapsesAt == start.adding(seconds: 15))
        _ = attention.look(tab, visible: jobs(1), near: [], now: start.adding(seconds: 10))
        #expect(attention.lapsesAt == start.adding(seconds: 25))
        #expect(attention.lapse(now: start.adding(seconds: 24.9)).isEmpty)
        #expect(attention.lapse(now: start.adding(seconds: 25)) == Set(jobs(1)))
        #expect(attention.interests.isEmpty)
        #expect(attention.lapsesAt == nil)
    }

    @Test("A job is as interesting as it is to whoever looks most closely")
    func several() {
        var attention = Attention()
        _ = attention.look(tab, visible: [], near: jobs(1, 2), now: start)
        _ = attention.look(other, visible: jobs(1), near: [], now: start.adding(seconds: 5))
        #expect(attention.interests == [job(1): .visible, job(2): .near])
        #expect(attention.lapse(now: start.adding(seconds: 15)) == Set(jobs(2)))
        #expect(attention.look(other, visible: [], near: [], now: start.adding(seconds: 16)) == Set(jobs(1)))
        #expect(attention.interests.isEmpty && attention.lapsesAt == nil)
    }

    @Test("Clients of different users never meet, whatever they call themselves")
    func users() {
        var attention = Attention()
        let stranger = Attention.Client(user: 1001, name: tab.name)
        _ = attention.look(tab, visible: jobs(1), near: [], now: start)
        _ = attention.look(stranger, visible: [], near: [], now: start)
        #expect(attention.interests == [job(1): .visible])
    }

    @Test("A client can look at 500 jobs at most, those in view first")
    func mostJobs() {
        var attention = Attention()
        let visible = (1...400).map { job($0) }
        _ = attention.look(tab, visible: visible, near: (401...900).map { job($0) }, now: start)
        #expect(attention.interests.count == 500)
        #expect(attention.interests[job(400)] == .visible)
        #expect(attention.interests[job(500)] == .near && attention.interests[job(501)] == nil)
    }

    @Test("Another client takes the place of the one silent for longest, of the same user first")
    func mostClients() {
        var attention = Attention()
        _ = attention.look(.init(user: 1, name: "a"), visible: jobs(1), near: [], now: start)
        for number in 0...16 as ClosedRange<Int64> {
            _ = attention.look(
                .init(user: 2, name: "\(number)"),
                visible: [job(100 + number)],
                near: [],
                now: start.adding(seconds: 1 + Double(number) / 100)
            )
        }
        #expect(attention.interests.count == 17)
        #expect(attention.interests[job(1)] == .visible && attention.interests[job(100)] == nil)
        for user in 3...100 as ClosedRange<UInt32> {
            _ = attention.look(
                .init(user: user, name: "a"),
                visible: [job(1000 + Int64(user))],
                near: [],
                now: start.adding(seconds: 2)
            )
        }
        #expect(attention.interests.count == 64)
        #expect(attention.interests[job(1)] == nil)
    }
}
