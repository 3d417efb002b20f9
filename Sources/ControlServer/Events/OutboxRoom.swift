import JobCore
import Synchronization

/// How much of memory all followers of events together may be owed: those that don't read are told
/// that they missed some, and get it from the history once they do.
final class OutboxRoom: Sendable {
    fileprivate struct Place {
        var user: UInt32?
        var size = 0
        /// Grows with each time that something was taken.
        var lastTaken = 0
        var giveUp: @Sendable () -> Void
    }

    fileprivate struct State {
        var used = 0
        var turn = 0
        var places: [Int: Place] = [:]
    }

    private let total: Int
    private let state = Mutex(State())

    /// Room for so many bytes.
    init(total: Int) { self.total = total }

    /// Lets a follower in, who is owed nothing yet.
    ///
    /// - Parameters:
    ///   - user: Whose it is.
    ///   - giveUp: Lets go of what the follower is owed.
    /// - Returns: A number for the calls below.
    func enter(user: UInt32?, giveUp: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.turn += 1
            state.places[state.turn] = Place(user: user, lastTaken: state.turn, giveUp: giveUp)
            return state.turn
        }
    }

    /// Says how much a follower is owed now.
    ///
    /// Past the room, it costs those of the user who is owed the most, and first who hasn't taken
    /// anything for the longest time.
    func owes(_ id: Int, _ size: Int, hasTaken: Bool = false) {
        let givenUp = state.withLock { state -> [@Sendable () -> Void] in
            guard state.places[id] != nil else { return [] }
            state.set(id, to: size)
            if hasTaken {
                state.turn += 1
                state.places[id]?.lastTaken = state.turn
            }
            guard state.used > total else { return [] }
            var givenUp: [@Sendable () -> Void] = []
            // A quarter of it at once, or finding out whose turn it is would come with every event.
            while state.used > total - total / 4, let stuck = state.longestStuck() {
                state.set(stuck, to: 0)
                if let place = state.places[stuck] { givenUp.append(place.giveUp) }
            }
            return givenUp
        }
        for giveUp in givenUp { giveUp() }
    }

    /// Forgets a follower.
    func leave(_ id: Int) {
        state.withLock { state in
            state.set(id, to: 0)
            state.places[id] = nil
        }
    }
}

extension OutboxRoom.State {
    fileprivate mutating func set(_ id: Int, to size: Int) {
        used += size - (places[id]?.size ?? size)
        places[id]?.size = size
    }

    fileprivate func longestStuck() -> Int? {
        var sizes: [UInt32?: Int] = [:]
        for place in places.values { sizes[place.user, default: 0] += place.size }
        guard let user = sizes.max(by: { $0.value < $1.value })?.key else { return nil }
        return places.filter { $0.value.user == user && $0.value.size > 0 }
            .min { $0.value.lastTaken < $1.value.lastTaken }?.key
    }
}
