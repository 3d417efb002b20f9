import JobCore
import Testing

struct FairLineTests {
    @Test("Whoever was served goes behind the others, and each one's own keep their order")
    func turns() {
        var line = FairLine<String, Int>()
        for number in 1...3 { line.append(number, of: "ann") }
        line.append(10, of: "ben")
        line.append(20, of: "eve")
        #expect(line.count == 5)
        var served: [Int] = []
        while let next = line.next() {
            served.append(next.element)
            if next.element == 10 { line.append(11, of: "ben") }
        }
        #expect(served == [1, 10, 20, 2, 11, 3])
        #expect(line.isEmpty)
    }

    @Test("Who may not go keeps the place, and what is given up is gone")
    func exceptions() {
        var line = FairLine<Int, Int>()
        for key in 1...3 { line.append(10 * key, of: key) }
        let second = line.next { $0 != 1 }
        let none = line.next { $0 > 3 }
        #expect(second?.element == 20 && none == nil)
        let removed = [line.remove(of: 1) { $0 == 10 }, line.remove(of: 1) { $0 == 10 }]
        #expect(removed == [[10], []])
        let last = line.next()
        #expect(last?.element == 30 && line.isEmpty)
    }
}
