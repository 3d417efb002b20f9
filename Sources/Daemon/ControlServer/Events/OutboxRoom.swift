import JobModel
import Synchronization

/// Limits the memory that pending events of all followers may take.
///
/// Those that don't read are told that they missed some, and get them from the history once they read
/// again.
final class OutboxRoom: Sendable {
    fileprivate struct Place {
        var user: UInt32?
        var size = 0
        /// The number of the last time that something was taken.
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

    init(total: Int) { self.total = total }

    /// Adds a follower that has nothing pending yet.
    ///
    /// - Parameters:
    ///   - user: The follower's user.
    ///   - giveUp: Drops the follower's pending events.
    /// - Returns: The follower's number, for the calls below.
    func enter(user: UInt32?, giveUp: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.turn += 1
            state.places[state.turn] = Place(user: user, lastTaken: state.turn, giveUp: giveUp)
            return state.turn
        }
    }

    /// Sets how many bytes a follower has pending.
    ///
    /// If that exceeds the room, events are dropped of the user with the most pending, starting with the
    /// follower that hasn't taken anything for the longest time.
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
            // A quarter is freed at once, so that the search for a follower isn't needed with every
            // event.
            while state.used > total - total / 4, let stuck = state.longestStuck() {
                state.set(stuck, to: 0)
                if let place = state.places[stuck] { givenUp.append(place.giveUp) }
            }
            return givenUp
        }
        for giveUp in givenUp { giveUp() }
    }

    /// Removes a follower.
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
