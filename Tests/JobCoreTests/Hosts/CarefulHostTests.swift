import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

@Suite("A host that has asked to wait, and large files from there")
struct CarefulHostTests {
    private static let start = Moment(microseconds: 1_795_243_503_000_000)
    private static let host = "a:80"

    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    /// A queue with 40 jobs of one host: five large files are under way, and a sixth was told to wait a second.
    private func queue(answered: Bool) -> TransferQueue {
        var queue = TransferQueue(limits: .init(total: 16, perHost: 8))
        let flow = Flow.batch(BatchID(rawValue: 1))
        for number in 1...40 as ClosedRange<Int64> {
            queue.enqueue(job(number), host: Self.host, priority: 0, of: flow)
        }
        for _ in 1...6 { _ = queue.next(now: Self.start) }
        if answered {
            for number in 1...5 as ClosedRange<Int64> {
                queue.hostAnswered(Self.host, job: job(number), now: Self.start)
            }
        }
        _ = queue.hostAsksToWait(
            Self.host,
            seconds: 1,
            job: job(6),
            reason: "429",
            now: Self.start.adding(seconds: 60)
        )
        queue.release(job(6))
        return queue
    }

    /// Takes small files one after the other, each over in a fifth of a second, until the time is over.
    private func fetchSmall(_ queue: inout TransferQueue, from begin: Moment, seconds: Double) -> Int {
        var now = begin
        var count = 0
        while now.seconds(since: begin) < seconds {
            if let next = queue.next(now: now) {
                queue.hostAnswered(Self.host, job: next, now: now)
                queue.release(next)
                count += 1
            }
            now = now.adding(seconds: 0.2)
        }
        return count
    }

    @Test(
        "Small files go one after the other beside large ones that were under way, and the first isn't waited for"
    )
    func small() throws {
        var queue = queue(answered: true)
        let early = queue.next(now: Self.start.adding(seconds: 60.9))
        let now = Self.start.adding(seconds: 61)
        let first = queue.next(now: now)
        let beside = queue.next(now: now)
        #expect(early == nil && first != nil && beside == nil, "one goes first")
        // Its file may take minutes; what it says is known.
        queue.hostAnswered(Self.host, job: try #require(first), now: now.adding(seconds: 0.1))
        let second = queue.next(now: now.adding(seconds: 0.1))
        let third = queue.next(now: now.adding(seconds: 0.1))
        #expect(second != nil && third == nil, "one at a time")
        queue.hostAnswered(Self.host, job: try #require(second), now: now.adding(seconds: 0.2))
        queue.release(try #require(second))
        let count = fetchSmall(&queue, from: now.adding(seconds: 0.3), seconds: 5)
        #expect(count >= 20, "\(count)")
    }

    @Test("A second large file is waited for no longer than a moment, and the queue says when to ask again")
    func large() throws {
        var queue = queue(answered: true)
        let now = Self.start.adding(seconds: 61)
        for seconds in [0.0, 0.1] {
            let next = queue.next(now: now.adding(seconds: seconds))
            queue.hostAnswered(Self.host, job: try #require(next), now: now.adding(seconds: seconds))
        }
        let early = queue.next(now: now.adding(seconds: 1))
        #expect(early == nil)
        let waiting = try #require(queue.hostStatus(Self.host, now: now.adding(seconds: 1))?.waiting)
        #expect(waiting.reason.contains("few at once (1)") && waiting.reason.contains("429"))
        let opens = try #require(queue.opensAt(now: now.adding(seconds: 1)))
        #expect(opens.seconds(since: now) < 6 && waiting.until == opens)
        let third = queue.next(now: opens)
        #expect(third != nil)
    }

    @Test("Requests without an answer are waited for")
    func unanswered() throws {
        var queue = queue(answered: false)
        let now = Self.start.adding(seconds: 61)
        let first = queue.next(now: now)
        queue.hostAnswered(Self.host, job: try #require(first), now: now)
        let second = queue.next(now: now.adding(seconds: 1))
        #expect(second == nil, "five are still to be answered")
    }
}
