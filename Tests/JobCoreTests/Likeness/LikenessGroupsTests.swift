import TestSupport
import Testing
import Vocabulary

@testable import JobCore

/// Groups of documents that are alike, compared with what comparing each with each finds.
struct LikenessGroupsTests {
    private struct Item {
        var bits: UInt64
        var content = 0
    }

    private func documents(_ items: [Item]) -> LikenessDocuments {
        var documents = LikenessDocuments()
        for (place, item) in items.enumerated() {
            let digits = String(item.content, radix: 16)
            let sha256 = String(repeating: "7", count: 64 - digits.count) + digits
            documents.append(
                job: Int64(place + 1),
                fingerprint: Fingerprint(bits: item.bits),
                content: item.content == 0 ? .unknown : ContentSum(sha256: sha256)
            )
        }
        return documents
    }

    private func found(_ items: [Item], _ distance: Int) throws -> [[Int]] {
        let groups = try LikenessGroups.find(documents(items), distance: distance)
        return (0..<groups.count).map { groups[$0].map { Int($0) } }
    }

    /// The same by comparing each with each, and following from one to the next.
    private func expected(_ items: [Item], _ distance: Int) -> [[Int]] {
        var left = Set(items.indices)
        var groups: [[Int]] = []
        for start in items.indices where left.remove(start) != nil {
            var (group, rest) = ([start], [start])
            while let one = rest.popLast() {
                let near = left.filter { other in
                    let (this, that) = (items[one], items[other])
                    let isNear =
                        this.bits != 0 && that.bits != 0
                        && (this.bits ^ that.bits).nonzeroBitCount <= distance
                    return isNear || this.content != 0 && this.content == that.content
                }
                left.subtract(near)
                group += near
                rest += near
            }
            if group.count > 1 { groups.append(group.sorted()) }
        }
        return groups.sorted { $0.count == $1.count ? $0[0] < $1[0] : $0.count > $1.count }
    }

    @Test("They are those that comparing each with each finds", arguments: UInt64(0)..<60)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let distance = Int.random(in: 0...16, using: &random)
        // Few free bits make crowds, many make strangers.
        let free = [8, 14, 20, 30, 48, 64].randomElement(using: &random) ?? 64
        let mask = (0..<free).reduce(UInt64(0)) { mask, _ in
            mask | 1 << UInt64.random(in: 0..<64, using: &random)
        }
        var items: [Item] = []
        for _ in 0..<Int.random(in: 0...700, using: &random) {
            var bits = UInt64.random(in: 0...UInt64.max, using: &random) & mask | 1
            if let other = items.randomElement(using: &random), Int.random(in: 0...2, using: &random) == 0 {
                bits = other.bits
                for _ in 0..<Int.random(in: 0...distance + 2, using: &random) {
                    bits ^= 1 << UInt64.random(in: 0..<64, using: &random)
                }
            }
            if Int.random(in: 0..<20, using: &random) == 0 { bits = 0 }
            items.append(Item(bits: bits, content: max(0, Int.random(in: -300...60, using: &random))))
        }
        #expect(try found(items, distance) == expected(items, distance))
    }

    @Test("No documents, one, and strangers have no groups")
    func none() throws {
        #expect(try found([], 6) == [])
        #expect(try found([Item(bits: 5)], 6) == [])
        #expect(try found([Item(bits: 0), Item(bits: 0)], 16) == [])
        #expect(try found([Item(bits: 1), Item(bits: ~1)], 16) == [])
    }

    @Test("The same content is alike without a fingerprint, and with another")
    func content() throws {
        let items = [
            Item(bits: 0, content: 4), Item(bits: 0xFFFF), Item(bits: 0, content: 4),
            Item(bits: 0xFFFE, content: 5),
            Item(bits: ~0, content: 5),
        ]
        #expect(try found(items, 1) == [[1, 3, 4], [0, 2]])
    }

    @Test("What is no SHA-256 equals nothing", arguments: ["", "ab", String(repeating: "g", count: 64)])
    func noContent(text: String) { #expect(ContentSum(sha256: text) == .unknown) }

    /// A tenth of the comparisons of each with each.
    private let few = 40_000_000

    @Test("Equal, crowded and chosen fingerprints aren't compared each with each", arguments: 0..<5)
    func crowds(kind: Int) throws {
        var random = SeededGenerator(seed: 7)
        let count: UInt64 = 20_000
        let items: [Item] = (0..<count).map { number in
            let noise = UInt64.random(in: 0...UInt64.max, using: &random)
            return switch kind {
            // All equal.
            case 0: Item(bits: 0xABCD)
            // One part the same for all.
            case 1: Item(bits: noise | 0xFFFF)
            // Two of four parts the same, as many as there are.
            case 2: Item(bits: noise | 0xFFFF_0000_FFFF)
            // Far from each other.
            case 3: Item(bits: Self.codeWord(number) | 1)
            default: Item(bits: noise)
            }
        }
        let groups = try LikenessGroups.find(documents(items), distance: 6, most: few)
        if kind == 3 { #expect(groups.count == 0) }
        if kind == 0 { #expect(groups.count == 1 && groups.members.count == Int(count)) }
    }

    @Test("Numbers side by side, all in few bits, take few comparisons", arguments: [1, 2, 4, 6, 8, 12, 16])
    func dense(distance: Int) throws {
        let count = 20_000
        let items = (1...count).map { Item(bits: UInt64($0)) }
        let groups = try LikenessGroups.find(documents(items), distance: distance, most: 100 * count)
        #expect(groups.count == 1 && groups.members.count == count)
    }

    @Test(
        "What nobody waits for any more is given up within few comparisons",
        arguments: [LikenessSearch.usualMost, 5 << 20]
    )
    func abandoned(most: Int) {
        var random = SeededGenerator(seed: 2)
        // So far from each other that all have to be compared.
        let items = (0..<20_000).map { _ in Item(bits: .random(in: 0...UInt64.max, using: &random)) }
        var asked = 0
        #expect(throws: LikenessFailure.cancelled) {
            _ = try LikenessGroups.find(documents(items), distance: 16, most: most) {
                asked += 1
                return asked < 4
            }
        }
        #expect(asked == 4)
    }

    /// Words of the Reed–Muller code of order 2 and length 64: any two differ in at least 16 bits.
    private static func codeWord(_ number: UInt64) -> UInt64 {
        var (word, left) = (UInt64(0), number)
        for one in 0..<6 {
            for other in 0...one {
                defer { left >>= 1 }
                guard left & 1 == 1 else { continue }
                for point in UInt64(0)..<64 {
                    word ^= (point >> UInt64(one) & point >> UInt64(other) & 1) << point
                }
            }
        }
        return word
    }

    @Test("What would take too many comparisons is refused, and what nobody waits for is given up")
    func refused() {
        var random = SeededGenerator(seed: 1)
        let items = (0..<5000).map { _ in Item(bits: .random(in: 0...UInt64.max, using: &random)) }
        #expect(throws: LikenessFailure.tooMany) {
            _ = try LikenessGroups.find(documents(items), distance: 16, most: 100_000)
        }
        #expect(throws: LikenessFailure.cancelled) {
            _ = try LikenessGroups.find(documents(items), distance: 6) { false }
        }
    }
}
