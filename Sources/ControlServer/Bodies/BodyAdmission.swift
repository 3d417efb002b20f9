import Synchronization

/// Lets the bodies of large posts into memory while there is room, and the others wait on their
/// sockets, which aren't read meanwhile.
final class BodyAdmission: Sendable {
    private struct State {
        var room: BodyRoom
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// What is still being received: since when, and how to end it.
        var receiving: [Int: (since: ContinuousClock.Instant, end: @Sendable () -> Void)] = [:]
        var isEnded = false
    }

    /// How long somebody waits at the most, and how long a body may take while others wait for it.
    private let patience: Duration
    private let state: Mutex<State>

    /// Room for one and a half bodies of the largest size, one of them of a single user.
    init(largest: Int, patience: Duration) {
        self.patience = patience
        state = Mutex(State(room: BodyRoom(total: largest + largest / 2, perUser: largest)))
    }

    /// A place in memory, given back when nobody holds it any more.
    final class Place: Sendable {
        fileprivate let claim: BodyRoom.Claim
        private let admission: BodyAdmission

        fileprivate init(_ claim: BodyRoom.Claim, of admission: BodyAdmission) {
            self.claim = claim
            self.admission = admission
        }

        deinit { admission.leave(claim) }

        /// Says that all has come, and how large it is.
        func received(_ size: Int) {
            admission.change { state in
                state.receiving[claim.id] = nil
                return state.room.shrink(claim, to: size)
            }
        }
    }

    /// Waits until there is room.
    ///
    /// - Parameters:
    ///   - size: As many bytes as the body may have.
    ///   - user: Whose it is.
    ///   - end: Ends the connection of a body that others wait for and that doesn't come.
    /// - Returns: Nil where there is none after a while.
    func enter(_ size: Int, user: UInt32?, end: @escaping @Sendable () -> Void) async -> Place? {
        let place = Place(state.withLock { $0.room.ask(size, user: user) }, of: self)
        let id = place.claim.id
        let impatience = Task { [weak self, patience] in
            try await Task.sleep(for: patience / 2)
            self?.endSlow()
            try await Task.sleep(for: patience / 2)
            self?.state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        defer { impatience.cancel() }
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                guard !state.isEnded, !state.room.holds(place.claim) else { return false }
                state.waiting[id] = continuation
                return true
            }
            if !isWaiting { continuation.resume() }
        }
        return state.withLock { state in
            guard state.room.holds(place.claim) else { return nil }
            state.receiving[id] = (.now, end)
            return place
        }
    }

    /// Sends away all who wait, and lets nobody wait any more: the server stops.
    func end() {
        let waiting = state.withLock { state in
            state.isEnded = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    private func leave(_ claim: BodyRoom.Claim) {
        change { state in
            state.receiving[claim.id] = nil
            return state.room.leave(claim)
        }
    }

    /// Changes the room, and wakes those for whom there is some now.
    private func change(_ body: (inout State) -> [BodyRoom.Claim]) {
        let woken = state.withLock { state in
            body(&state).compactMap { state.waiting.removeValue(forKey: $0.id) }
        }
        for continuation in woken { continuation.resume() }
    }

    /// Ends what takes longer to come than others have patience for.
    private func endSlow() {
        let slow = state.withLock { state in
            state.receiving.values.filter { $0.since.duration(to: .now) >= patience / 2 }.map(\.end)
        }
        for end in slow { end() }
    }
}
