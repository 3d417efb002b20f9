import Synchronization
import Testing

@testable import facefetchd

@Suite("Feeding the watchdog", .timeLimit(.minutes(1)))
struct WatchdogTests {
    /// A part that answers, until it is told not to.
    private final class Part: Sendable {
        private struct State {
            var isStuck = false
            var owed: [@Sendable () -> Void] = []
        }
        private let state = Mutex(State())

        var part: Watchdog.Part { part(named: "part") }

        func part(named name: String) -> Watchdog.Part {
            .init(name) { answer in
                let isStuck = self.state.withLock { state in
                    if state.isStuck { state.owed.append(answer) }
                    return state.isStuck
                }
                if !isStuck { answer() }
            }
        }

        func stick() { state.withLock { $0.isStuck = true } }

        func recover() {
            let owed = state.withLock { state in
                defer { state = State() }
                return state.owed
            }
            for answer in owed { answer() }
        }
    }

    @Test("goes on as long as every part answers")
    func feeds() async {
        let (meals, feed) = AsyncStream<Void>.makeStream()
        let watchdog = Watchdog(
            interval: 0.01,
            parts: (1...3).map { _ in Part().part },
            feed: { feed.yield() },
            complain: { Issue.record("\($0)") }
        )
        defer { watchdog.stop() }
        var count = 0
        for await _ in meals {
            count += 1
            if count == 5 { break }
        }
        #expect(count == 5)
    }

    @Test("ends while any one part is stuck, says which, and begins again when it answers", arguments: 0..<3)
    func stuck(index: Int) async {
        let names = ["the engine", "the transfer thread", "the control server"]
        let parts = names.map { _ in Part() }
        let meals = Mutex(0)
        let (complaints, complain) = AsyncStream<String>.makeStream()
        let (fed, feed) = AsyncStream<Void>.makeStream()
        let (recoveries, recover) = AsyncStream<Int>.makeStream()
        parts[index].stick()
        let watchdog = Watchdog(
            interval: 0.01,
            parts: zip(parts, names).map { $0.part(named: $1) },
            feed: {
                meals.withLock { $0 += 1 }
                feed.yield()
            },
            complain: { complain.yield($0) },
            recover: { recover.yield(meals.withLock { $0 }) }
        )
        defer { watchdog.stop() }
        for await complaint in complaints {
            #expect(complaint == names[index])
            break
        }
        #expect(meals.withLock { $0 } == 0)
        parts[index].recover()
        for await _ in fed { break }
        #expect(meals.withLock { $0 } > 0)
        for await count in recoveries {
            #expect(count > 0)
            break
        }
    }
}
