import FleetCore
import Testing

@Suite("The health of a node")
struct NodeHealthTests {
    /// Returns a node after so many endings, of which `fails` says which have failed.
    private func node(_ count: Int, buckets: Int = 100, fails: (Int) -> Bool) -> NodeHealth {
        var health = NodeHealth()
        for number in 0..<count {
            health.ended(bucket: number % buckets, code: fails(number) ? "dns" : nil)
        }
        return health
    }

    @Test("A node that fails everywhere rests, says why, and tries again after a while, each time later")
    func rests() throws {
        var health = node(200) { _ in true }
        let asks = [1, 2, 61].map { health.asks(at: .seconds($0)) }
        #expect(asks == [true, false, true])
        let reason = health.judge(others: 1000, failed: 20, at: .seconds(61))
        #expect(reason == "200 of its last 200 jobs have failed, mostly dns, and of the others' 2 %")
        #expect(health.restsUntil == .seconds(661))
        let wakes = [660, 661].map { health.wakes(at: .seconds($0)) }
        #expect(wakes == [false, true] && health.restsUntil == nil)
        let asksAgain = health.asks(at: .seconds(700))
        #expect(!asksAgain)
        for number in 0..<60 { health.ended(bucket: number, code: "dns") }
        let again = health.judge(others: 1000, failed: 20, at: .seconds(700))
        #expect(again != nil && health.restsUntil == .seconds(1900))
    }

    @Test("Hosts that are down, few endings, a fleet that fails as well, or nobody else leave it at work")
    func works() {
        // All fail, of three hosts.
        var nodes = [node(200, buckets: 3) { _ in true }]
        // All jobs of every other host fail.
        nodes.append(node(200, buckets: 20) { !$0.isMultiple(of: 2) })
        nodes.append(node(49) { _ in true })
        let asks = nodes.indices.map { nodes[$0].asks(at: .zero) }
        #expect(asks == [false, false, false])
        var health = node(200) { _ in true }
        let isAsking = health.asks(at: .zero)
        let reasons = [(1000, 400), (0, 0), (49, 0)].map { others, failed in
            health.judge(others: others, failed: failed, at: .zero)
        }
        #expect(isAsking && reasons == [nil, nil, nil] && health.restsUntil == nil)
    }
}
