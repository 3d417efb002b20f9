import Synchronization

/// The large answers that clients haven't taken yet, whose total memory is limited.
final class UnreadAnswers: Sendable {
    /// The size in bytes up to which answers aren't counted, because connections are limited and each
    /// has one answer at most.
    static let smallSize = 64 << 10

    private struct State {
        var room: UnreadRoom
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    init(total: Int) { state = Mutex(State(room: UnreadRoom(total: total))) }

    /// Counts an answer until ``leave(_:)``, and ends the connections of those that there is no longer
    /// room for.
    ///
    /// - Parameters:
    ///   - size: The answer's size in bytes.
    ///   - user: The user who asked.
    ///   - end: Ends the connection.
    func enter(_ size: Int, user: UInt32?, end: @escaping @Sendable () -> Void) -> Int {
        let (id, ends) = state.withLock { state in
            let (id, cut) = state.room.add(size, user: user)
            state.ends[id] = end
            return (id, cut.compactMap { state.ends.removeValue(forKey: $0) })
        }
        for end in ends { end() }
        return id
    }

    /// Uncounts an answer that has been taken, or whose connection has ended.
    func leave(_ id: Int) {
        state.withLock { state in
            state.room.remove(id)
            state.ends[id] = nil
        }
    }
}

/// Decides which answers to give up when clients leave too many unread.
struct UnreadRoom {
    private struct Answer {
        var id: Int
        var user: UInt32?
        var size: Int
    }

    private let total: Int
    private var nextID = 0
    private var used = 0
    /// The answers, oldest first.
    private var answers: [Answer] = []

    init(total: Int) { self.total = total }

    /// Counts an answer; if that exceeds the room, the oldest answers of the user who has the most are
    /// given up.
    ///
    /// The new one is never given up, since it may be read at once.
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

    /// Uncounts an answer unless it has been given up.
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
