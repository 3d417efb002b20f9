/// A queue with a line for each flow: the flow whose turn it is yields the smallest element of its line.
struct FairHeap<Element: Comparable> {
    /// The lines that are not empty.
    private var lines: [UInt32: PriorityHeap<Element>] = [:]
    /// One turn for each line, as it was when last looked at; a flow's start only grows.
    private var turns = PriorityHeap<FlowTable.Turn>()
    /// The turns of lines whose flows are held.
    private var parked: [FlowTable.Turn] = []
    /// The number of elements.
    private(set) var count = 0

    /// Adds an element to the line of the flow that has this turn.
    mutating func insert(_ element: Element, at turn: FlowTable.Turn) {
        count += 1
        guard lines[turn.flow]?.insert(element) == nil else { return }
        var line = PriorityHeap<Element>()
        line.insert(element)
        lines[turn.flow] = line
        turns.insert(turn)
    }

    /// Returns the element that is next; nil if there is none.
    mutating func first(by flows: FlowTable) -> Element? {
        nextTurn(by: flows).flatMap { lines[$0.flow]?.first }
    }

    /// Removes and returns the element that is next; nil if there is none.
    mutating func popFirst(by flows: FlowTable) -> Element? {
        guard let turn = nextTurn(by: flows), let element = lines[turn.flow]?.popFirst() else { return nil }
        count -= 1
        if lines[turn.flow]?.first == nil {
            lines[turn.flow] = nil
            _ = turns.popFirst()
        }
        return element
    }

    /// Lets the lines of flows that were held compete again.
    mutating func release() {
        for turn in parked { turns.insert(turn) }
        parked = []
    }

    /// Returns the lowest turn of those that aren't held, having moved on those whose flows have been served since.
    ///
    /// Flows that are gone keep their turns: whoever takes elements knows which are still wanted.
    private mutating func nextTurn(by flows: FlowTable) -> FlowTable.Turn? {
        while let turn = turns.first {
            guard let now = flows.turn(of: turn.flow) else { return turn }
            if flows.isHeld(turn.flow) {
                _ = turns.popFirst()
                parked.append(now)
                continue
            }
            guard turn < now else { return turn }
            _ = turns.popFirst()
            turns.insert(now)
        }
        return nil
    }
}

extension FairHeap: Sendable where Element: Sendable {}
