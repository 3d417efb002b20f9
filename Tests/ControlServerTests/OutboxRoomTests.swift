import JobEngine
import JobModel
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Room for what followers are owed")
struct OutboxRoomTests {
    private func event(_ id: Int64) -> EventBus.Item {
        .event(
            JobEvent(
                id: id,
                time: Moment(microseconds: 0),
                batchCreatedAt: Moment(microseconds: 0),
                batch: BatchID(rawValue: 1),
                job: JobID(rawValue: 1),
                kind: .started(url: String(repeating: "x", count: 900))
            )
        )
    }

    /// Returns the number of events that the followers are owed together.
    private func owed(_ followers: [FollowerOutbox]) -> Int {
        followers.reduce(0) { sum, outbox in
            sum + outbox.drain().entries.count { if case .event = $0 { true } else { false } }
        }
    }

    @Test(
        "however many followers never read, they are owed what the room holds, and know that they miss more"
    )
    func bound() {
        let room = OutboxRoom(total: 1 << 20)
        let stuck = (0..<500).map { _ in FollowerOutbox(batch: nil, limit: 4096, room: room, user: 1) }
        for event in (1...100).map(event) {
            for outbox in stuck { outbox.offer(event) }
        }
        let missing = stuck.count { $0.hasMissed }
        #expect(missing > 400)
        #expect(owed(stuck) * 900 <= 1 << 20)
    }

    @Test("those who read lose nothing by those of another user who don't")
    func readers() {
        let room = OutboxRoom(total: 1 << 20)
        let stuck = (0..<50).map { _ in FollowerOutbox(batch: nil, limit: 4096, room: room, user: 1) }
        let reader = FollowerOutbox(batch: nil, limit: 4096, room: room, user: 2)
        var heard = 0
        for id in Int64(1)...4000 {
            let event = event(id)
            for outbox in stuck { outbox.offer(event) }
            reader.offer(event)
            if id % 100 == 0 { heard += reader.drain().entries.count }
        }
        #expect(heard == 4000)
        #expect(stuck.contains { $0.hasMissed } && !reader.hasMissed)
    }

    @Test("of one user's followers those are given up first who have taken nothing for the longest time")
    func order() {
        let probe = FollowerOutbox(batch: nil, limit: 100)
        probe.offer(event(1))
        let size = probe.drain().entries[0].size
        let room = OutboxRoom(total: 20 * size)
        let (first, second) = (
            FollowerOutbox(batch: nil, limit: 100, room: room, user: 1),
            FollowerOutbox(batch: nil, limit: 100, room: room, user: 1)
        )
        for outbox in [first, second] { outbox.offer((1...5).map(event)) }
        #expect(first.drain().entries.count == 5)
        first.offer((6...15).map(event))
        second.offer((6...10).map(event))
        #expect(!first.hasMissed && !second.hasMissed)
        // Now the first is the one that has waited.
        #expect(second.drain().entries.count == 10)
        second.offer((11...20).map(event))
        #expect(!first.hasMissed && !second.hasMissed)
        second.offer(event(21))
        #expect(first.hasMissed && !second.hasMissed)
        #expect(first.drain().entries == [.missed])
        #expect(second.drain().entries.count == 11)
    }

    @Test("who goes gives back the room")
    func leave() {
        let room = OutboxRoom(total: 10_000)
        for _ in 0..<100 {
            let outbox = FollowerOutbox(batch: nil, limit: 100, room: room, user: 1)
            outbox.offer((1...8).map(event))
            #expect(!outbox.hasMissed)
        }
    }
}
