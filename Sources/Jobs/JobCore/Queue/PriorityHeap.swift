/// A binary heap, which yields its smallest element first in logarithmic time.
public struct PriorityHeap<Element: Comparable> {
    private var storage: [Element] = []

    public init() {}

    /// Creates a heap of the given elements.
    public init(_ elements: some Sequence<Element>) {
        // A sorted array is a valid heap.
        storage = elements.sorted()
    }

    /// The number of elements.
    public var count: Int { storage.count }
    /// The elements, in no particular order.
    public var elements: [Element] { storage }
    /// The smallest element, nil if the heap is empty.
    public var first: Element? { storage.first }

    /// Adds an element.
    public mutating func insert(_ element: Element) {
        storage.append(element)
        var child = storage.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard storage[child] < storage[parent] else { return }
            storage.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the smallest element; nil if the heap is empty.
    public mutating func popFirst() -> Element? {
        guard let smallest = storage.first else { return nil }
        let last = storage.removeLast()
        guard !storage.isEmpty else { return smallest }
        storage[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < storage.count else { return smallest }
            if child + 1 < storage.count, storage[child + 1] < storage[child] { child += 1 }
            guard storage[child] < storage[parent] else { return smallest }
            storage.swapAt(child, parent)
            parent = child
        }
    }
}

extension PriorityHeap: Sendable where Element: Sendable {}
