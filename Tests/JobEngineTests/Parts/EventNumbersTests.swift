import JobModel
import Testing

@testable import JobEngine

/// The places of events.
struct EventNumbersTests {
    @Test("Numbers go on behind the store's last, and no event is told as earlier than the one before it")
    func number() {
        var numbers = EventNumbers(after: 41)
        let first = numbers.number(.sample(1, 10, seconds: 5))
        // It was held while the other was told.
        let held = numbers.number(.sample(2, 10, seconds: 4))
        #expect([first.id, held.id] == [42, 43])
        #expect(held.time == first.time)
    }

    @Test("Events that never were leave no gap")
    func closeUp() {
        var numbers = EventNumbers(after: 0)
        _ = numbers.number(.sample(9, 10))
        var events = [1, 2, 1, 3].map { numbers.number(.sample($0, 10)) }
        numbers.closeUp(&events) { $0.job.rawValue == 1 }
        #expect(events.map(\.id) == [2, 3])
        #expect(events.map(\.job.rawValue) == [2, 3])
        #expect(numbers.number(.sample(4, 10)).id == 4)
    }
}
