import Testing

@testable import CurlTransfer

@Suite("The connections that many requests share, one after the other")
struct ConnectionRelayTests {
    private let relay = ConnectionRelay(names: ConnectionNames())

    /// Sends so many requests that are answered at once, and returns the connections that they went over.
    private func send(_ count: Int, mayOpen: Bool = true) -> [Int] {
        (0..<count).map { _ in
            let leg = relay.join(mayOpen: mayOpen)
            relay.reached(leg)
            relay.leave(leg)
            return leg.number
        }
    }

    @Test("Each carries fewer requests than servers allow")
    func usual() {
        let numbers = send(10_000)
        for number in 0...10 {
            let count = numbers.count { $0 == number }
            #expect(number == 10 || count > 800 && count < ConnectionRelay.usualCount, "\(count)")
        }
        #expect(numbers.last == 10 && numbers == numbers.sorted())
    }

    @Test(
        "While one request makes the next connection, all others go over the one that there is",
        arguments: [32, 100]
    )
    func opening(width: Int) {
        var legs = (0..<width).map { _ in relay.join(mayOpen: true) }
        var opener: ConnectionRelay.Leg?
        while opener == nil {
            relay.leave(legs.removeFirst())
            legs.append(relay.join(mayOpen: true))
            if let last = legs.last, relay.opens(last) { opener = last }
        }
        guard let opener else { return }
        // It takes three round trips.
        for _ in 0..<3 * width {
            let leg = relay.join(mayOpen: true)
            #expect(leg.number == 0 && !relay.opens(leg))
            relay.leave(leg)
        }
        #expect(relay.sent < ConnectionRelay.usualCount)
        relay.reached(opener)
        #expect(relay.join(mayOpen: true).number == 1)
        // Those of the first one end late.
        for leg in legs where leg.number == 0 { relay.leave(leg) }
        #expect(relay.underWay == 2 && relay.hasLeftOthers)
    }

    @Test(
        "Where there is no further connection, the one that there is does, and the next trial is much later"
    )
    func refused() {
        #expect(send(3000, mayOpen: false).allSatisfy { $0 == 0 })
        let fresh = ConnectionRelay(names: ConnectionNames())
        var trials = 0
        for _ in 0..<3000 {
            let leg = fresh.join(mayOpen: true)
            if fresh.opens(leg) { trials += 1 }
            fresh.leave(leg)
        }
        #expect(trials == 5 && fresh.number == 0)
    }

    @Test("A server that sends connections away sooner is left sooner")
    func learns() {
        _ = send(400)
        let two = (relay.join(mayOpen: true), relay.join(mayOpen: true))
        #expect(!relay.connectedAgain(two.1), "it came in the place of the first one")
        #expect(relay.limit == 402)
        relay.leave(two.0)
        relay.leave(two.1)
        let numbers = send(402)
        #expect(numbers.last == 1)
    }

    @Test(
        "A further connection after few requests says that there was no room, and one after a pause nothing"
    )
    func room() {
        _ = send(100)
        let one = relay.join(mayOpen: true)
        #expect(!relay.connectedAgain(one))
        #expect(relay.sent == 1 && relay.limit == ConnectionRelay.usualCount)
        let other = relay.join(mayOpen: true)
        #expect(relay.connectedAgain(other))
        #expect(relay.limit == ConnectionRelay.usualCount)
    }

    @Test("One that is of no more use is left at once, whoever is about to make the next one, and only once")
    func abandoned() {
        let legs = (0..<10).map { _ in relay.join(mayOpen: true) }
        for leg in legs { relay.abandon(leg.number) }
        #expect(relay.number == 1 && relay.sent == 0 && relay.underWay == 0)
        for leg in legs { relay.leave(leg) }
        #expect(relay.join(mayOpen: true).number == 1 && relay.underWay == 1)

        let other = ConnectionRelay(names: ConnectionNames())
        var last = other.join(mayOpen: true)
        while !other.opens(last) { last = other.join(mayOpen: true) }
        other.abandon(0)
        #expect(other.number == 1 && other.underWay == 1 && !other.opens(last))
        #expect(other.join(mayOpen: true).number == 1)
        other.reached(last)
        other.leave(last)
        #expect(other.number == 1 && other.underWay == 1)
    }
}
