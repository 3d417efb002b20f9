import Testing

@testable import CurlTransfer

@Suite("The connections that many requests to a host share at once")
struct ConnectionLanesTests {
    private let lanes = ConnectionLanes()
    private let limits = ConnectionLanes.Limits(connections: 6, streams: 32)

    /// Sends so many requests, each of which has its connection at once.
    private func join(_ count: Int, apart: Bool = false) -> [ConnectionRelay.Leg] {
        (0..<count).map { _ in
            let leg = lanes.join(apart: apart, in: limits)
            leg.relay.reached(leg)
            return leg
        }
    }

    private func leave(_ legs: [ConnectionRelay.Leg]) { for leg in legs { leg.relay.leave(leg) } }

    @Test(
        "One connection is filled before another is made, and one remains for what comes in another's place"
    )
    func fills() {
        let legs = join(200)
        #expect(legs.prefix(32).allSatisfy { $0.identity == 0 })
        for lane in 0..<5 {
            #expect(legs[32 * lane..<32 * (lane + 1)].allSatisfy { $0.identity == lane })
        }
        #expect(lanes.lanes.count == 5)
        #expect(lanes.lanes.map(\.underWay) == [40, 40, 40, 40, 40], "what is too much is shared out")
        leave(legs)
        #expect(Set(join(32).map(\.identity)) == [0], "fewer go over the first one alone")
    }

    @Test("Large files have connections to themselves, as far as there may be some")
    func apart() {
        let small = join(3)
        let streams = join(4, apart: true)
        #expect(streams.map(\.identity) == [1, 2, 3, 4])
        let last = join(1, apart: true)
        #expect(last.map(\.identity) == [1], "the one with the fewest requests")
        leave(small + streams + last)
    }

    @Test("Requests that are to be spread make the connections for that, and share them evenly")
    func spread() {
        var limits = limits
        (limits.spread, limits.streams) = (3, 2)
        let legs = (0..<8).map { _ in
            let leg = lanes.join(in: limits)
            leg.relay.reached(leg)
            return leg
        }
        #expect(legs.prefix(6).map(\.identity) == [0, 0, 1, 1, 2, 2])
        #expect(lanes.lanes.map(\.underWay) == [3, 3, 2])
        leave(legs)
        #expect(Set(join(6).map(\.identity)) == [0], "when they no longer are, one is enough")
    }

    @Test("What began before anything was known of the host has its place on the first connection")
    func adopted() throws {
        let first = try #require(lanes.adopt())
        #expect(first.identity == 0)
        #expect(join(3, apart: true).map(\.identity) == [1, 2, 3])
        leave([first])
        #expect(lanes.lanes[0].underWay == 0)
        lanes.lanes[0].abandon(0)
        let late = lanes.adopt()
        #expect(late == nil, "another one has come in its place")
    }

    @Test("Each request for which there is no room makes a connection, as far as there may be some")
    func coming() {
        var legs = (0..<34).map { _ in lanes.join(in: limits) }
        #expect(legs.count { $0.relay.opens($0) } == 2)
        #expect(lanes.lanes[0].underWay == 32)
        legs += (34..<100).map { _ in lanes.join(in: limits) }
        #expect(legs.count { $0.relay.opens($0) } == 4)
        #expect(lanes.lanes[0].underWay == 96, "others do with those that there are")
        for leg in legs { leg.relay.reached(leg) }
        #expect(lanes.lanes.map(\.isThere) == [true, true, true, true, true])
        #expect(lanes.join(in: limits).identity == 1)
    }

    @Test("Where nobody counts them, as many are made at a time as the requests need")
    func needed() {
        var limits = limits
        limits.opensAtOnce = false
        let legs = (0..<100).map { _ in lanes.join(in: limits) }
        #expect(legs.count { $0.relay.opens($0) } == 3)
        #expect(lanes.lanes[0].underWay == 97)
    }

    @Test("Where none can be made, the others do, and the next trial is much later")
    func refused() {
        var legs = join(32)
        let opener = lanes.join(in: limits)
        #expect(opener.relay.opens(opener))
        opener.relay.leave(opener)
        for _ in 0..<ConnectionLanes.pause { legs.append(lanes.join(in: limits)) }
        #expect(legs.allSatisfy { $0.identity == 0 && !$0.relay.opens($0) })
        let next = lanes.join(in: limits)
        #expect(next.relay.opens(next) && next.identity == opener.identity)
    }

    @Test("A host that may have one or two connections has one at a time", arguments: [1, 2])
    func few(connections: Int) {
        let limits = ConnectionLanes.Limits(connections: connections, streams: 10)
        let legs = (0..<50).map { _ in lanes.join(in: limits) }
        #expect(Set(legs.map(\.identity)) == [0])
    }

    @Test("Nothing is named like a connection that is in use, and the name left first is used again first")
    func names() {
        var seen: [Int] = []
        for _ in 0..<400 {
            let legs = join(64)
            for leg in legs where leg.number > 0 && !seen.suffix(4).contains(leg.identity) {
                seen.append(leg.identity)
            }
            leave(legs)
        }
        #expect(Set(seen).count == ConnectionNames.count && seen.count > 20)
        for (place, name) in seen.enumerated() where place >= 8 {
            #expect(!seen[place - 8..<place].contains(name), "\(seen)")
        }
    }

    @Test("Connections that are used evenly are left one after the other, each before a server sends it away")
    func staggered() {
        var legs = join(160)
        var openers: [(leg: ConnectionRelay.Leg, ready: Int)] = []
        var most = 0
        for time in 0..<20_000 {
            leave([legs.removeFirst()])
            let leg = lanes.join(in: limits)
            if leg.relay.opens(leg) { openers.append((leg, time + 3 * 160)) } else { legs.append(leg) }
            most = max(most, lanes.lanes.map(\.sent).max() ?? 0)
            // A connection takes three round trips.
            while let first = openers.first, first.ready <= time {
                first.leg.relay.reached(first.leg)
                legs.append(first.leg)
                openers.removeFirst()
            }
        }
        #expect(most < ConnectionRelay.usualCount)
        #expect(lanes.lanes.map(\.number).allSatisfy { $0 > 3 })
    }

    @Test("While all connections that there may be are in use, none is made in another's place")
    func full() {
        let two = ConnectionLanes.Limits(connections: 2, streams: 32)
        var opened = 0
        var legs: [ConnectionRelay.Leg] = []
        for _ in 0..<2000 {
            let leg = lanes.join(in: two)
            if leg.relay.opens(leg) { opened += 1 }
            leg.relay.reached(leg)
            legs.append(leg)
            if legs.count > 20 { leave([legs.removeFirst()]) }
        }
        #expect(opened == 2, "one connection and the next")
        let one = ConnectionLanes.Limits(connections: 1, streams: 32)
        let single = ConnectionLanes()
        for _ in 0..<2000 {
            let leg = single.join(in: one)
            #expect(!leg.relay.opens(leg))
            leg.relay.leave(leg)
        }
    }
}
