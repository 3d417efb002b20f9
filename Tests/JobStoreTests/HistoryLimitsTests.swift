import Testing

@testable import JobStore

/// Tests of which events are removed, by how much room there is.
struct HistoryLimitsTests {
    private let limits = HistoryLimits(usual: 100, unlogged: 100_000)

    private func bound(logged: Int64?, _ room: HistoryLimits.Room, last: Int64 = 50_000) -> Int64 {
        limits.bound(last: last, count: 20, logged: logged, room: room)
    }

    @Test("With room, followers' history is kept, and what the log lacks")
    func ample() {
        #expect(bound(logged: nil, .ample) == 49_900)
        #expect(bound(logged: 50_000, .ample) == 49_900)
        #expect(bound(logged: 300, .ample) == 299)
        #expect(bound(logged: 300, .ample, last: 200_000) == 100_000)
    }

    @Test("Room is short from 16 MiB on, and the last of it begins at 8 MiB")
    func room() {
        let free: [Int64] = [1 << 40, 16 << 20, (16 << 20) - 1, 8 << 20, (8 << 20) - 1, 0]
        #expect(
            free.map(HistoryLimits.Room.init(free:)) == [.ample, .ample, .tight, .tight, .last, .last]
        )
    }

    @Test("Without room, what the log lacks still stays, and the last event that it has")
    func tight() {
        #expect(bound(logged: nil, .tight) == 49_900)
        #expect(bound(logged: 300, .tight) == 299)
        // More of what it has goes than would for followers alone.
        let more = HistoryLimits(usual: 10_000, unlogged: 100_000)
        #expect(more.bound(last: 50_000, count: 20, logged: 50_000, room: .tight) == 49_000)
    }

    @Test("At the very last, the oldest go, so that jobs can be cancelled; the newest never do")
    func last() {
        #expect(bound(logged: 300, .last) == 49_000)
        #expect(limits.bound(last: 50_000, count: 5000, logged: 300, room: .last) == 45_000)
    }
}
