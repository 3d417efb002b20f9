import JobEngine
import JobModel
import Testing
import Vocabulary

struct EventBusTests {
    private func event(_ id: Int64) -> JobEvent {
        let moment = Moment(microseconds: 0)
        return JobEvent(
            id: id,
            time: moment,
            batchCreatedAt: moment,
            batch: BatchID(rawValue: 1),
            job: JobID(rawValue: 1),
            kind: .paused(name: "a")
        )
    }

    @Test("Everyone who listens hears everything in order, from when they began")
    func order() async {
        let bus = EventBus()
        bus.publish([.event(event(1))])
        let first = bus.subscribe()
        let second = bus.subscribe()
        bus.publish([.event(event(2)), .event(event(3))])
        bus.end()
        for subscription in [first, second] {
            var heard: [EventBus.Item] = []
            for await item in subscription { heard.append(item) }
            #expect(heard == [.event(event(2)), .event(event(3))])
        }
    }

    @Test("Who doesn't read misses events, is told so, and holds up nobody")
    func slow() async {
        let bus = EventBus(bufferSize: 4)
        let slow = bus.subscribe()
        for id in 1...10 { bus.publish([.event(event(Int64(id)))]) }
        var reader = slow.makeAsyncIterator()
        for id in 1...4 { #expect(await reader.next() == .event(event(Int64(id)))) }
        bus.publish([.event(event(11))])
        #expect(await reader.next() == .missed)
        #expect(await reader.next() == .event(event(11)))
    }

    @Test("Nobody listens to a bus that has ended")
    func ended() async {
        let bus = EventBus()
        bus.end()
        for await _ in bus.subscribe() { Issue.record("heard something") }
        #expect(bus.listenerCount == 0)
    }
}
