import Testing

@testable import FaceDetection

/// Tests of how a large picture is cut, and which parts of it are looked at.
struct TileTests {
    @Test("Parts cover a side without a gap, none is too long, and each middle is told of once")
    func cut() {
        for length in [1, 1279, 1280, 1281, 2304, 11_313, 31_616, 32_768] {
            let spans = TileSpan.cut(length, longest: 1280, margin: 64)
            #expect(spans.first?.pixels.lowerBound == 0 && spans.last?.pixels.upperBound == length)
            #expect(spans.allSatisfy { $0.pixels.count <= 1280 })
            for (one, next) in zip(spans, spans.dropFirst()) {
                #expect(one.core.upperBound == next.core.lowerBound)
                // A face whose middle is on the seam is whole in both.
                #expect(one.pixels.upperBound == next.pixels.lowerBound + 128)
            }
            let middles = [-5.0, 0, 63.5, 1152, Double(length) / 2, Double(length) - 0.5, Double(length) + 9]
            #expect(middles.allSatisfy { middle in spans.count { $0.holds(middle) } == 1 })
        }
    }

    /// The tiles that are looked at where these have faces.
    private func looked(_ columns: Int, _ having: [Set<Int>], likely: [Set<Int>] = []) -> [[Int]] {
        var choice = TileChoice(columns: columns, isSampled: true)
        return having.enumerated().map { row, faces in
            choice.beginRow(likely: row < likely.count ? likely[row] : [])
            var seen: [Int] = []
            while let column = choice.next() {
                seen.append(column)
                if faces.contains(column) { choice.found(in: column) }
            }
            return seen.sorted()
        }
    }

    @Test("Of what is empty a third is looked at, evenly; a crowd is followed to its ends, and downwards")
    func choice() {
        #expect(looked(7, [[], [], []]) == [[0, 3, 6], [2, 5], [1, 4]])
        #expect(looked(7, [[2, 3, 4, 5], []])[0] == [0, 1, 2, 3, 4, 5, 6])
        #expect(looked(9, [[3], []]) == [[0, 2, 3, 4, 6], [2, 3, 4, 5, 8]])
        // What an earlier look has seen is looked at wherever it is.
        #expect(looked(7, [[]], likely: [[1]]) == [[0, 1, 3, 6]])
        var all = TileChoice(columns: 3, isSampled: false)
        all.beginRow()
        #expect([all.next(), all.next(), all.next(), all.next()].compactMap { $0 }.sorted() == [0, 1, 2])
    }
}
