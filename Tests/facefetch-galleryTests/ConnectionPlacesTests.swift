import Testing

@testable import facefetch_gallery

@Suite("Which connections a gallery keeps")
struct ConnectionPlacesTests {
    private let start = ContinuousClock.now
    private let home: [UInt8] = [1]
    private let abroad: [UInt8] = [2]

    /// Places for six, two of which strangers of one network may hold, unless something else is said.
    private func places(total: Int = 6, perNetwork: Int = 2) -> ConnectionPlaces<Int> {
        ConnectionPlaces(total: total, perNetwork: perNetwork)
    }

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test("there is room until there is none, and who leaves makes room")
    func room() {
        var places = places(total: 3, perNetwork: 3)
        for id in 1...3 { #expect(places.enter(id, from: home, now: after(id)) == .enters(insteadOf: nil)) }
        places.leave(2)
        #expect(places.enter(4, from: home, now: after(4)) == .enters(insteadOf: nil))
        #expect(places.enter(5, from: home, now: after(5)) == .enters(insteadOf: 1))
        #expect(places.count == 3)
        // Who has lost its place leaves nothing when its connection ends.
        places.leave(1)
        #expect(places.count == 3)
    }

    @Test("whoever is silent longest goes, by the last answer that it got to its end")
    func silentLongest() {
        var places = places(total: 3, perNetwork: 3)
        for id in 1...3 { _ = places.enter(id, from: home, now: after(id)) }
        places.begin(1, isKnown: false)
        places.end(1, now: after(4))
        // A request that goes on and on is no answer.
        places.begin(2, isKnown: false)
        #expect(places.enter(4, from: home, now: after(5)) == .enters(insteadOf: 2))
        #expect(places.enter(5, from: home, now: after(6)) == .enters(insteadOf: 3))
        #expect(places.enter(6, from: home, now: after(7)) == .enters(insteadOf: 1))
    }

    @Test("three hundred that say nothing don't keep the owner out, nor do those who have no session")
    func silentCrowd() {
        var places = ConnectionPlaces<Int>()
        places.begin(0, isKnown: true)
        _ = places.enter(0, from: home, now: start)
        places.begin(0, isKnown: true)
        places.end(0, now: start)
        for id in 1...300 { _ = places.enter(id, from: home, now: after(id)) }
        // The owner's first connection was silent longer than any, and has a session.
        #expect(places.enter(1000, from: home, now: after(400)) != .refused)
        places.begin(1000, isKnown: true)
        for id in 2000...2600 {
            #expect(places.enter(id, from: abroad, now: after(id)) != .enters(insteadOf: 1000))
            places.begin(id, isKnown: false)
            places.end(id, now: after(id))
        }
        #expect(places.count <= 256)
        places.end(1000, now: after(3000))
    }

    @Test("one network has its share, and its own strangers make room for its next")
    func networks() {
        var places = places()
        #expect(places.enter(1, from: abroad, now: after(1)) == .enters(insteadOf: nil))
        #expect(places.enter(2, from: abroad, now: after(2)) == .enters(insteadOf: nil))
        #expect(places.enter(3, from: abroad, now: after(3)) == .enters(insteadOf: 1))
        #expect(places.enter(4, from: home, now: after(4)) == .enters(insteadOf: nil))
        // Who has a session doesn't count: behind a server with TLS, all come from one address.
        places.begin(2, isKnown: true)
        places.begin(3, isKnown: true)
        for id in 5...6 { #expect(places.enter(id, from: abroad, now: after(id)) == .enters(insteadOf: nil)) }
        #expect(places.enter(7, from: abroad, now: after(7)) == .enters(insteadOf: 5))
    }

    @Test("where all places are taken, the network that holds the most gives one up")
    func largestNetwork() {
        var places = places(total: 5, perNetwork: 3)
        _ = places.enter(1, from: home, now: after(1))
        for id in 2...4 { _ = places.enter(id, from: abroad, now: after(id)) }
        _ = places.enter(5, from: [3], now: after(5))
        #expect(places.enter(6, from: [4], now: after(6)) == .enters(insteadOf: 2))
        #expect(places.enter(7, from: [5], now: after(7)) == .enters(insteadOf: 3))
        // All hold one now.
        #expect(places.enter(8, from: [6], now: after(8)) == .enters(insteadOf: 1))
    }

    @Test("of those with a session only who waits for nothing makes room, and where all work nobody comes in")
    func sessions() {
        var places = places(total: 3, perNetwork: 3)
        for id in 1...3 {
            _ = places.enter(id, from: home, now: after(id))
            places.begin(id, isKnown: true)
        }
        #expect(places.enter(4, from: home, now: after(4)) == .refused)
        #expect(places.count == 3)
        places.end(2, now: after(5))
        places.end(3, now: after(6))
        #expect(places.enter(5, from: home, now: after(7)) == .enters(insteadOf: 2))
        // A stranger goes before anybody with a session.
        #expect(places.enter(6, from: home, now: after(8)) == .enters(insteadOf: 5))
    }

    @Test("who shows no session any more is a stranger again: a server in front has one connection for many")
    func shared() {
        var places = places(total: 2, perNetwork: 2)
        for id in 1...2 {
            _ = places.enter(id, from: home, now: after(id))
            places.begin(id, isKnown: true)
            places.end(id, now: after(id))
        }
        places.begin(2, isKnown: false)
        places.end(2, now: after(9))
        #expect(places.enter(3, from: home, now: after(10)) == .enters(insteadOf: 2))
    }

    @Test("a stranger whose answer takes a minute is closed, whatever it sends meanwhile")
    func overdue() {
        var places = ConnectionPlaces<Int>()
        for id in 1...4 { _ = places.enter(id, from: home, now: start) }
        places.begin(2, isKnown: false)
        places.begin(3, isKnown: true)
        places.begin(4, isKnown: false)
        places.end(4, now: after(30))
        #expect(places.takeOverdue(now: after(59)).isEmpty)
        #expect(Set(places.takeOverdue(now: after(60))) == [1, 2])
        #expect(places.takeOverdue(now: after(60)).isEmpty && places.count == 2)
        #expect(places.takeOverdue(now: after(90)) == [4])
        #expect(places.takeOverdue(now: after(9000)).isEmpty)
    }
}
