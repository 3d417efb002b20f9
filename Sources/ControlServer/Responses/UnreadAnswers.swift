import Synchronization

/// The large answers that their clients haven't taken yet: how much of memory they may have together.
final class UnreadAnswers: Sendable {
    /// Answers up to this size, in bytes, aren't counted: the connections are, and each has one at most.
    static let smallSize = 64 << 10

    private struct State {
        var room: UnreadRoom
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// Room for so many bytes.
    init(total: Int) { state = Mutex(State(room: UnreadRoom(total: total))) }

    /// Counts an answer until ``leave(_:)``, and ends the connections of those that it leaves no room for.
    ///
    /// - Parameters:
    ///   - size: Its size in bytes.
    ///   - user: Whose it is.
    ///   - end: Ends its connection.
    func enter(_ size: Int, user: UInt32?, end: @escaping @Sendable () -> Void) -> Int {
        let (id, ends) = state.withLock { state in
            let (id, cut) = state.room.add(size, user: user)
            state.ends[id] = end
            return (id, cut.compactMap { state.ends.removeValue(forKey: $0) })
        }
        for end in ends { end() }
        return id
    }

    /// Forgets an answer that has been taken, or whose connection has ended.
    func leave(_ id: Int) {
        state.withLock { state in
            state.room.remove(id)
            state.ends[id] = nil
        }
    }
}

/// Decides which answers are given up where there are too many for those who read theirs.
struct UnreadRoom {
    private struct Answer {
        var id: Int
        var user: UInt32?
        var size: Int
    }

    private let total: Int
    private var nextID = 0
    private var used = 0
    /// The oldest first.
    private var answers: [Answer] = []

    /// Room for so many bytes.
    init(total: Int) { self.total = total }

    /// Counts an answer; past the room, the oldest ones of the user who has the most are given up.
    ///
    /// The new one never is: it was asked for last, and may be read at once.
    mutating func add(_ size: Int, user: UInt32?) -> (id: Int, cut: [Int]) {
        let id = nextID
        nextID += 1
        used += size
        var cut: [Int] = []
        while used > total, let oldest = oldestOfLargestUser() {
            cut.append(answers[oldest].id)
            used -= answers.remove(at: oldest).size
        }
        answers.append(Answer(id: id, user: user, size: size))
        return (id, cut)
    }

    /// Forgets an answer, where it hasn't been given up.
    mutating func remove(_ id: Int) {
        guard let index = answers.firstIndex(where: { $0.id == id }) else { return }
        used -= answers.remove(at: index).size
    }

    private func oldestOfLargestUser() -> Int? {
        var sizes: [UInt32?: Int] = [:]
        for answer in answers { sizes[answer.user, default: 0] += answer.size }
        guard let user = sizes.max(by: { $0.value < $1.value })?.key else { return nil }
        return answers.firstIndex { $0.user == user }
    }
}
