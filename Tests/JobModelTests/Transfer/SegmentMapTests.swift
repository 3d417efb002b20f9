import JobModel
import TestSupport
import Testing

struct SegmentMapTests {
    private func map(_ ranges: Range<Int64>...) -> SegmentMap {
        var map = SegmentMap()
        for range in ranges { map.insert(range) }
        return map
    }

    @Test("Ranges that touch or overlap become one, in any order")
    func coalesces() {
        #expect(map(0..<10, 10..<20).ranges == [0..<20])
        #expect(map(30..<40, 0..<10).ranges == [0..<10, 30..<40])
        #expect(map(30..<40, 0..<10, 5..<35).ranges == [0..<40])
        #expect(map(0..<10, 20..<30, 40..<50, 15..<45).ranges == [0..<10, 15..<50])
        #expect(map(0..<10, 2..<3).ranges == [0..<10])
        #expect(map(5..<5).ranges == [])
    }

    @Test("A map says how much it holds, from the start on and in all, and what is missing")
    func measures() {
        let map = map(0..<10, 30..<40)
        #expect(map.count == 20)
        #expect(map.prefix == 10)
        #expect(map.end == 40)
        #expect(map.holes(to: 50) == [10..<30, 40..<50])
        #expect(map.holes(to: 40) == [10..<30])
        #expect(map.holes(to: 20) == [10..<20])
        #expect(SegmentMap().holes(to: 5) == [0..<5])
        #expect(self.map(3..<5).prefix == 0)
        #expect(SegmentMap(prefix: 7).ranges == [0..<7])
        #expect(SegmentMap(prefix: 0) == SegmentMap())
    }

    @Test("What lies behind the end of a file is not held")
    func clips() {
        #expect(map(0..<10, 30..<40).clipped(to: 35).ranges == [0..<10, 30..<35])
        #expect(map(0..<10, 30..<40).clipped(to: 30).ranges == [0..<10])
        #expect(map(0..<10).clipped(to: 0).ranges == [])
    }

    @Test("The text of a map reads back; any other text is refused")
    func text() {
        for map in [map(), map(0..<10), map(3..<5, 9..<1_000_000_000_000)] {
            #expect(SegmentMap(text: map.text) == map)
        }
        #expect(map(0..<10, 30..<40).text == "0-10,30-40")
        for text in [
            "x", "5-5", "7-3", "0-10,10-20", "0-10,5-7", "-1-4", "0-10,", ",", "0-99999999999999999999",
        ] {
            #expect(SegmentMap(text: text) == nil, "\(text)")
        }
    }

    @Test("However bytes are added, the map holds exactly those", arguments: 1...50)
    func walk(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var map = SegmentMap()
        var bytes = [Bool](repeating: false, count: 200)
        for _ in 0..<40 {
            let lower = Int.random(in: 0..<200, using: &generator)
            let upper = Int.random(in: lower...min(200, lower + 30), using: &generator)
            map.insert(Int64(lower)..<Int64(upper))
            for index in lower..<upper { bytes[index] = true }
            #expect(map.count == Int64(bytes.count { $0 }))
            for (one, next) in zip(map.ranges, map.ranges.dropFirst()) {
                #expect(one.upperBound < next.lowerBound)
            }
            for hole in map.holes(to: 200) { #expect(hole.allSatisfy { !bytes[Int($0)] }) }
        }
    }
}
