/// A line in which those who wait go in turns, however much each of them waits for.
///
/// Whoever was served goes behind all others; what one waits for itself keeps its order.
public struct FairLine<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    private var waiting: [Key: [Element]] = [:]
    /// The keys that wait, the next one first.
    private var turns: [Key] = []

    public init() {}

    /// True if nobody waits.
    public var isEmpty: Bool { turns.isEmpty }

    /// The number of elements that wait.
    public var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// Adds an element to those that its owner waits for.
    public mutating func append(_ element: Element, of key: Key) {
        if waiting[key] == nil { turns.append(key) }
        waiting[key, default: []].append(element)
    }

    /// Removes and returns the next element of the first key that may go.
    public mutating func next(where mayGo: (Key) -> Bool = { _ in true }) -> (key: Key, element: Element)? {
        guard let index = turns.firstIndex(where: mayGo) else { return nil }
        let key = turns.remove(at: index)
        guard var own = waiting[key], !own.isEmpty else { return nil }
        let element = own.removeFirst()
        waiting[key] = own.isEmpty ? nil : own
        if !own.isEmpty { turns.append(key) }
        return (key, element)
    }

    /// Removes the elements of an owner that are given up, and returns them.
    public mutating func remove(of key: Key, where isGivenUp: (Element) -> Bool) -> [Element] {
        let all = waiting[key] ?? []
        let left = all.filter { !isGivenUp($0) }
        waiting[key] = left.isEmpty ? nil : left
        if left.isEmpty { turns.removeAll { $0 == key } }
        return all.filter(isGivenUp)
    }
}
