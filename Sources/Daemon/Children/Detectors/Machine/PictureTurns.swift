import JobModel
import Vocabulary

/// The requests of all users for pictures: the users take turns, each with what ``PictureLine`` has next for them.
struct PictureTurns<Order: Sendable>: Sendable {
    private let most: Int
    private var lines: [UInt32?: PictureLine<Order>] = [:]
    /// The users who wait, the next one first.
    private var turns: [UInt32?] = []

    /// Creates turns without requests; of each kind so many of one user wait at the most.
    init(most: Int) { self.most = most }

    /// True if nothing waits.
    var isEmpty: Bool { turns.isEmpty }

    /// Adds a request of a user, and returns one that has to be refused for it.
    mutating func add(_ order: Order, id: Int64, job: JobID, _ size: PictureSize?, of user: UInt32?) -> Order?
    {
        if lines[user] == nil { turns.append(user) }
        return lines[user, default: PictureLine(most: most)].add(order, id: id, job: job, size)
    }

    /// Removes and returns the next request, given what people look at; nil if nothing waits.
    mutating func next(_ interests: [JobID: Interest]) -> Order? {
        guard let user = turns.first else { return nil }
        turns.removeFirst()
        let order = lines[user]?.next(interests)
        if lines[user]?.isEmpty ?? true { lines[user] = nil } else { turns.append(user) }
        return order
    }

    /// Removes a request; returns nil if it doesn't wait.
    mutating func remove(_ id: Int64) -> Order? {
        for (place, user) in turns.enumerated() {
            guard let order = lines[user]?.remove(id) else { continue }
            if lines[user]?.isEmpty ?? true {
                lines[user] = nil
                turns.remove(at: place)
            }
            return order
        }
        return nil
    }

    /// Removes all requests.
    mutating func removeAll() -> [Order] {
        defer { (lines, turns) = ([:], []) }
        return turns.flatMap { lines[$0]?.removeAll() ?? [] }
    }
}
