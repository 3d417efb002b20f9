import JobEngine
import JobModel
import Testing
import Vocabulary

@testable import ControlServer

@Suite("What a follower is owed")
struct FollowerOutboxTests {
    private func event(_ id: Int64, job: Int64 = 1, batch: Int64 = 1) -> JobEvent {
        JobEvent(
            id: id,
            time: Moment(microseconds: 0),
            batchCreatedAt: Moment(microseconds: 0),
            batch: BatchID(rawValue: batch),
            job: JobID(rawValue: job),
            kind: .paused(name: "a")
        )
    }

    private func progress(_ bytes: Int64, job: Int64 = 1) -> EventBus.Item {
        .progress(
            JobID(rawValue: job),
            BatchID(rawValue: 1),
            LiveTransfer(bytes: bytes, total: nil, bytesPerSecond: 0)
        )
    }

    private func entry(_ bytes: Int64, job: Int64 = 1) -> EventBus.Item {
        .progress(
            JobID(rawValue: job),
            BatchID(rawValue: 1),
            LiveTransfer(bytes: bytes, total: nil, bytesPerSecond: 0)
        )
    }

    @Test("of a job's progress only the latest is kept, but never moved past one of its events")
    func coalesces() {
        let outbox = FollowerOutbox(batch: nil, limit: 10)
        for item in [
            progress(1), progress(2, job: 2), progress(3), .event(event(1)), progress(4), progress(5),
            progress(6, job: 2),
        ] {
            outbox.offer(item)
        }
        #expect(outbox.drain().entries == [entry(3), entry(6, job: 2), .event(event(1)), entry(5)])
        #expect(outbox.drain().entries.isEmpty)
    }

    @Test(
        "past the limit the follower is told once that it missed some, and gets what comes after it has read"
    )
    func misses() {
        let outbox = FollowerOutbox(batch: nil, limit: 2)
        for id in 1...5 { outbox.offer(.event(event(Int64(id)))) }
        #expect(outbox.hasMissed)
        #expect(outbox.drain().entries == [.event(event(1)), .event(event(2)), .missed])
        #expect(!outbox.hasMissed)
        outbox.offer(.event(event(6)))
        #expect(outbox.drain().entries == [.event(event(6))])
    }

    @Test("what the bus lost is missed here, too")
    func busMisses() {
        let outbox = FollowerOutbox(batch: nil, limit: 2)
        outbox.offer(.event(event(1)))
        outbox.offer(.missed)
        outbox.offer(.event(event(9)))
        #expect(outbox.drain().entries == [.event(event(1)), .missed])
    }

    @Test("only the batch that is wanted comes in")
    func narrows() {
        let outbox = FollowerOutbox(batch: BatchID(rawValue: 2), limit: 2)
        outbox.offer(.event(event(1)))
        outbox.offer(progress(1))
        outbox.offer(.event(event(2, batch: 2)))
        #expect(outbox.drain().entries == [.event(event(2, batch: 2))])
    }

    @Test("what is taken in pieces is the same, in order, and the end comes last")
    func pieces() {
        let items: [EventBus.Item] =
            (Int64(1)...200).map { $0 % 7 == 0 ? progress($0, job: $0 % 3) : .event(event($0)) } + [.missed]
        let (whole, outbox) = (
            FollowerOutbox(batch: nil, limit: 1000), FollowerOutbox(batch: nil, limit: 1000)
        )
        for box in [whole, outbox] {
            box.offer(items)
            box.end()
        }
        var entries: [EventBus.Item] = []
        var counts: [Int] = []
        while true {
            let piece = outbox.drain(atMost: 4096)
            entries += piece.entries
            counts.append(piece.entries.count)
            guard !piece.hasEnded else { break }
        }
        #expect(entries == whole.drain().entries)
        #expect(
            counts.count > 2
                && counts.allSatisfy { $0 > 0 && $0 <= 4096 / MemoryLayout<EventBus.Item>.stride + 1 }
        )
        #expect(!outbox.hasMissed)
    }

    @Test("whatever is taken and comes in between, the limit is of what waits")
    func pieceByPiece() {
        let outbox = FollowerOutbox(batch: nil, limit: 10)
        for id in Int64(1)...10 { outbox.offer(.event(event(id))) }
        #expect(outbox.drain(atMost: 1).entries == [.event(event(1))])
        outbox.offer(.event(event(11)))
        #expect(!outbox.hasMissed)
        outbox.offer(.event(event(12)))
        #expect(outbox.drain().entries == (Int64(2)...11).map { .event(event($0)) } + [.missed])
    }

    @Test("the end stays the end")
    func ends() {
        let outbox = FollowerOutbox(batch: nil, limit: 2)
        outbox.end()
        #expect(outbox.drain().hasEnded)
        #expect(outbox.drain().hasEnded)
    }
}
