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

    @Test(
        "A node that fails everywhere, where others don't, rests, and tries again after a while, each time later"
    )
    func rests() {
        var health = node(200) { _ in true }
        let asks = [1, 2, 61].map { health.asks(at: .seconds($0)) }
        #expect(asks == [true, false, true])
        let words = "200 of its last 200 jobs have failed, mostly dns"
        let suspicion = health.judge(others: 1000, failed: 20, at: .seconds(61))
        #expect(suspicion == "\(words), and of the others' 2 %; others try jobs of the same hosts")
        let times = [65, 66, 70].map { health.reviews(at: .seconds($0)) }
        #expect(health.restsUntil == .seconds(121) && times[0] == nil && times[2] == nil)
        #expect(times[1]?.buckets == Set(0..<100) && times[1]?.age == .seconds(5))
        let few = health.review(others: 19, failed: 0, at: .seconds(71))
        let reason = health.review(others: 20, failed: 1, at: .seconds(71))
        #expect(few == nil)
        #expect(reason == "\(words), and of the others' at the same hosts 5 %")
        let more = health.reviews(at: .seconds(100))
        #expect(health.restsUntil == .seconds(671) && more == nil)
        let wakes = [670, 671].map { health.wakes(at: .seconds($0)) }
        #expect(wakes == [false, true] && health.restsUntil == nil)
        let asksAgain = health.asks(at: .seconds(700))
        #expect(!asksAgain)
        for number in 0..<60 { health.ended(bucket: number, code: "dns") }
        let again = health.judge(others: 1000, failed: 20, at: .seconds(700))
        let proof = health.review(others: 50, failed: 0, at: .seconds(710))
        #expect(again != nil && proof != nil && health.restsUntil == .seconds(1910))
    }

    @Test(
        "Where others fail at the same hosts, too, or have nothing there, the node works again and is left alone"
    )
    func excused() {
        for isReviewed in [true, false] {
            var health = node(200) { _ in true }
            let suspicion = health.judge(others: 1000, failed: 20, at: .zero)
            let reason = isReviewed ? health.review(others: 40, failed: 20, at: .seconds(60)) : nil
            let wakes = health.wakes(at: .seconds(60))
            let asked = health.reviews(at: .seconds(100))
            #expect(suspicion != nil && reason == nil && wakes != isReviewed)
            #expect(health.restsUntil == nil && asked == nil)
            for number in 0..<200 { health.ended(bucket: number, code: "dns") }
            let asks = [100, 659, 660].map { health.asks(at: .seconds($0)) }
            #expect(asks == [false, false, true])
        }
    }

    @Test("Files that aren't there say nothing of the node that asks for them")
    func files() {
        var health = NodeHealth()
        for number in 0..<200 {
            health.ended(bucket: number, code: number.isMultiple(of: 2) ? "http_404" : "http_410")
        }
        for number in 0..<49 { health.ended(bucket: number, code: "dns") }
        let asks = health.asks(at: .zero)
        #expect(!asks)
        health.ended(bucket: 50, code: "dns")
        let asksNow = health.asks(at: .zero)
        #expect(asksNow)
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
