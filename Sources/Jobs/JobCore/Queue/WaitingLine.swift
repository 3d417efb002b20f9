/// A queue in order of arrival.
///
/// To add, to take, and to put a line behind an empty one cost the same however much there is.
struct WaitingLine<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// The place of the first element that hasn't been taken.
    private var head = 0

    /// A line of elements in their order.
    init(_ elements: [Element] = []) { self.elements = elements }

    /// True if nothing waits.
    var isEmpty: Bool { head == elements.count }

    /// The first few elements.
    func prefix(_ count: Int) -> ArraySlice<Element> { elements[head...].prefix(count) }

    /// Adds an element at the end.
    mutating func append(_ element: Element) { elements.append(element) }

    /// Adds another line at the end.
    mutating func append(contentsOf other: WaitingLine) {
        if isEmpty { self = other } else { elements += other.elements[other.head...] }
    }

    /// Removes and returns the first element; nil if there is none.
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let first = elements[head]
        head += 1
        // Half of the list at least goes then, so each element is moved once on average.
        if head == elements.count || head >= 64 && head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }
}
