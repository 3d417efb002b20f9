/// Heaps of what waits, with what someone looks at apart from the rest.
struct AttendedHeap<Element: Comparable> {
    private var visible = PriorityHeap<Element>()
    private var near = PriorityHeap<Element>()
    private var others = PriorityHeap<Element>()

    /// The number of elements.
    var count: Int { visible.count + near.count + others.count }

    /// Returns the smallest of the elements with an interest; nil if there are none.
    func first(_ interest: Interest?) -> Element? {
        switch interest {
        case .visible: visible.first
        case .near: near.first
        case nil: others.first
        }
    }

    /// Adds an element.
    mutating func insert(_ element: Element, _ interest: Interest?) {
        switch interest {
        case .visible: visible.insert(element)
        case .near: near.insert(element)
        case nil: others.insert(element)
        }
    }

    /// Removes and returns the smallest of the elements with an interest; nil if there are none.
    mutating func popFirst(_ interest: Interest?) -> Element? {
        switch interest {
        case .visible: visible.popFirst()
        case .near: near.popFirst()
        case nil: others.popFirst()
        }
    }

    /// Removes and returns the element that is next: what is in view, then what is near, then the rest.
    ///
    /// Without `prefersNear`, what is near comes in its ordinary turn.
    mutating func popNext(prefersNear: Bool) -> (element: Element, interest: Interest?)? {
        if let element = visible.popFirst() { return (element, .visible) }
        if let near = near.first, prefersNear || others.first.map({ near < $0 }) ?? true {
            return self.near.popFirst().map { ($0, .near) }
        }
        return others.popFirst().map { ($0, nil) }
    }
}

extension AttendedHeap: Sendable where Element: Sendable {}
