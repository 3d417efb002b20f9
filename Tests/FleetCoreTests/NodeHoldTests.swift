import FleetCore
import Testing
import Vocabulary

@Suite("Nodes whose daemons begin nothing")
struct NodeHoldTests {
    private let lease = Duration.seconds(30)
    private let full = NodeHold.Evidence(reason: "its disk is full")

    /// A node that has heard evidence at times in seconds.
    private func hold(_ heard: [(Int, NodeHold.Evidence)]) -> NodeHold {
        var hold = NodeHold(patience: lease)
        for (moment, evidence) in heard { hold.heard(evidence, at: .seconds(moment)) }
        return hold
    }

    @Test("What keeps a daemon from beginning anything holds its node; a line that seems to be down doesn't")
    func kinds() {
        let holding = HoldKind.allCases.filter { NodeHold.reason($0) != nil }
        #expect(Set(holding) == [.disk, .storage, .hours, .metered, .clock])
    }

    @Test(
        "Nothing is claimed from the start of a hold, and after a lease the work goes to others, with the reason"
    )
    func holds() {
        let hold = hold([(100, full), (105, full)])
        #expect(hold.stopsClaims(besideOthers: false) && !hold.isPartial)
        #expect(hold.reason(at: .seconds(129)) == nil && hold.reason(at: .seconds(130)) == "its disk is full")
    }

    @Test("A hold that ends is no reason any more, and the next one has its time anew")
    func ends() {
        let hold = hold([(100, full), (140, .init()), (141, full)])
        #expect(hold.reason(at: .seconds(170)) == nil && hold.reason(at: .seconds(171)) != nil)
        #expect(!self.hold([(100, full), (140, .init())]).stopsClaims(besideOthers: true))
    }

    @Test(
        "A disk has no room for more if half a slice doesn't fit, or half of what is held and hardly anything else"
    )
    func room() {
        let many = NodeHold.Evidence(room: 1 << 40, slice: 10, held: 5, lackingRoom: 5)
        let few = NodeHold.Evidence(room: 1 << 40, slice: 10, held: 4, lackingRoom: 4)
        let tight = NodeHold.Evidence(room: 5000, slice: 10, held: 4, lackingRoom: 2)
        #expect(hold([(0, many)]).reason(at: lease) == "its disk has no room for more")
        #expect(hold([(0, tight)]).reason(at: lease) == "its disk has no room for more")
        #expect(hold([(0, few)]).reason(at: lease) == nil)
        #expect(hold([(0, .init(room: 5000, slice: 10, held: 5, lackingRoom: 2))]).reason(at: lease) == nil)
        #expect(hold([(0, .init(room: 5000, slice: 10))]).reason(at: lease) == nil)
    }

    @Test("Where a daemon would begin other jobs, a node that is alone goes on")
    func partial() {
        let paused = hold([(0, .init(slice: 10, held: 10, paused: 5))])
        #expect(paused.isPartial && paused.reason(at: lease) == "somebody has paused its jobs")
        #expect(paused.stopsClaims(besideOthers: true) && !paused.stopsClaims(besideOthers: false))
        #expect(!hold([(0, .init(slice: 10, held: 4, paused: 4))]).stopsClaims(besideOthers: true))
    }

    @Test(
        "What has gone to others shows nothing any more, so the node rests for a while; what was short is nothing"
    )
    func rests() {
        let paused = NodeHold.Evidence(slice: 10, held: 10, paused: 10)
        let given = [(0, paused), (15, paused), (30, paused), (35, .init())]
        #expect(hold(given).reason(at: .seconds(35)) != nil)
        #expect(hold(given + [(629, .init())]).reason(at: .seconds(629)) != nil)
        #expect(hold(given + [(630, .init())]).reason(at: .seconds(630)) == nil)
        #expect(hold([(0, paused), (15, paused), (20, .init())]).reason(at: .seconds(30)) == nil)
    }
}
