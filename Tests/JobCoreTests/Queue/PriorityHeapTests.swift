import JobCore
import TestSupport
import Testing

struct PriorityHeapTests {
    @Test("Elements come out smallest first", arguments: [0, 1, 2, 3, 10, 1000])
    func sorts(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        var heap = PriorityHeap<Int>()
        let elements = (0..<count).map { _ in Int.random(in: 0..<100, using: &generator) }
        for element in elements { heap.insert(element) }
        #expect(heap.first == elements.min())
        #expect(heap.count == count)
        var sorted: [Int] = []
        while let element = heap.popFirst() { sorted.append(element) }
        #expect(sorted == elements.sorted())
    }
}
