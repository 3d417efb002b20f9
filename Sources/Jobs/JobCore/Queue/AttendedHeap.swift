import JobModel

/// Heaps of what waits, with what someone looks at apart from the rest, which flows share.
struct AttendedHeap<Element: Comparable> {
    private var visible = PriorityHeap<Element>()
    private var near = PriorityHeap<Element>()
    private var others = FairHeap<Element>()

    /// The number of elements.
    var count: Int { visible.count + near.count + others.count }

    /// True if anything is near what someone looks at.
    var hasNear: Bool { near.first != nil }

    /// Adds an element of the flow that has this turn.
    mutating func insert(_ element: Element, _ interest: Interest?, at turn: FlowTable.Turn) {
        switch interest {
        case .visible: visible.insert(element)
        case .near: near.insert(element)
        case nil: others.insert(element, at: turn)
        }
    }

    /// Lets what waited compete again because its flow was held.
    mutating func release() { others.release() }

    /// Removes and returns the next of the elements with an interest; nil if there are none.
    mutating func popFirst(_ interest: Interest?, by flows: FlowTable) -> Element? {
        switch interest {
        case .visible: visible.popFirst()
        case .near: near.popFirst()
        case nil: others.popFirst(by: flows)
        }
    }

    /// Removes and returns the element that is next: what is in view, then what is near, then the rest.
    ///
    /// Without `prefersNear`, what is near comes in its ordinary turn.
    mutating func popNext(
        prefersNear: Bool,
        by flows: FlowTable
    ) -> (element: Element, interest: Interest?)? {
        if let element = visible.popFirst() { return (element, .visible) }
        if let near = near.first, prefersNear || others.first(by: flows).map({ near < $0 }) ?? true {
            return self.near.popFirst().map { ($0, .near) }
        }
        return others.popFirst(by: flows).map { ($0, nil) }
    }
}

extension AttendedHeap: Sendable where Element: Sendable {}
