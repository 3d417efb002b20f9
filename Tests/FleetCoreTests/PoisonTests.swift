import FleetCore
import Testing

@Suite("Who is to blame for the end of a node")
struct PoisonTests {
    @Test("Suspects go in ever smaller groups, and nothing is proven but with what was alone, twice")
    func steps() {
        let steps = (0...9).map { Poison(blame: $0) }
        let groups: [Poison] = [.grouped(atMost: 100), .grouped(atMost: 10), .grouped(atMost: 1)]
        #expect(steps == [.none, .none, .none] + groups + [.alone, .alone, .proven, .proven])
    }

    @Test("What waited was not under way; where suspects were, nobody else is blamed")
    func blames() {
        #expect(Poison.blamed(of: ["a": (0, true), "b": (2, true), "c": (6, false)]) == ["a", "b"])
        #expect(Poison.blamed(of: ["a": (0, true), "b": (3, true), "c": (4, false)]) == ["b"])
        #expect(Poison.blamed(of: ["a": (5, false)]).isEmpty)
    }

    /// A model of a fleet's node that dies with one job of many, and by chance with any: what the statements do,
    /// as values.
    @Test("The one job that ends nodes fails, and no other, however many are lost with it", arguments: 1...20)
    func model(seed: UInt64) {
        var dice = Dice(state: seed)
        var queued = Dictionary(uniqueKeysWithValues: (0..<2000).map { ($0, 0) })
        let poison = Int(dice.next() % 2000)
        var (failed, done, deaths, steps): (Set<Int>, Int, Int, Int) = ([], 0, 0, 0)
        while !queued.isEmpty, steps < 100_000 {
            steps += 1
            for (job, blame) in queued where Poison(blame: blame) == .proven {
                failed.insert(job)
                queued[job] = nil
            }
            var kinds: [Int: [Int]] = [:]
            for (job, blame) in queued { kinds[min(blame, Poison.aloneFrom), default: []].append(job) }
            var held: [Int] = []
            if let alone = kinds[Poison.aloneFrom]?.min() {
                held = [alone]
            } else {
                for blame in [3, 4, 5] {
                    guard case .grouped(let most) = Poison(blame: blame), held.isEmpty else { continue }
                    held = Array((kinds[blame] ?? []).sorted().prefix(most))
                }
                held += (0...2).flatMap { kinds[$0] ?? [] }.sorted().prefix(1000)
            }
            let dies = held.contains(poison)
            // Some machines fail by chance, but not twice with the same job alone.
            guard dies || dice.next() % 50 == 0 && held.count > 1 else {
                done += held.count
                for job in held { queued[job] = nil }
                continue
            }
            deaths += 1
            let blamed = Poison.blamed(
                of: Dictionary(uniqueKeysWithValues: held.map { ($0, (queued[$0] ?? 0, true)) })
            )
            for job in blamed { queued[job, default: 0] += 1 }
        }
        #expect(failed == [poison] && done == 1999)
        #expect(deaths < 20, "\(deaths) nodes have ended")
    }

    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
