import Synchronization

/// Admits the bodies of large requests to memory while there is room; the others wait on their sockets,
/// which aren't read meanwhile.
final class BodyAdmission: Sendable {
    private struct State {
        var room: BodyRoom
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The bodies being received: since when, and how to end their connections.
        var receiving: [Int: (since: ContinuousClock.Instant, end: @Sendable () -> Void)] = [:]
        var isEnded = false
    }

    /// The time that a body may wait for room, and that it may take while others wait for its room.
    private let patience: Duration
    private let state: Mutex<State>

    /// Room for one and a half bodies of the largest size with their items, one of them of a single user.
    init(largest: Int, patience: Duration) {
        self.patience = patience
        state = Mutex(State(room: BodyRoom(largestBody: largest)))
    }

    /// A place in memory, given back when it is released.
    final class Place: Sendable {
        fileprivate let claim: BodyRoom.Claim
        private let admission: BodyAdmission

        fileprivate init(_ claim: BodyRoom.Claim, of admission: BodyAdmission) {
            self.claim = claim
            self.admission = admission
        }

        deinit { admission.leave(claim) }

        /// Notes that the body is complete, with its size.
        func received(_ size: Int) {
            admission.change { state in
                state.receiving[claim.id] = nil
                return state.room.shrink(claim, to: BatchBody.memory(ofBody: size))
            }
        }
    }

    /// Waits until there is room.
    ///
    /// - Parameters:
    ///   - size: The most bytes that the body may have.
    ///   - user: The user who sends it.
    ///   - end: Ends the connection if others wait and the body doesn't arrive.
    /// - Returns: The place; nil if there was no room in time.
    func enter(_ size: Int, user: UInt32?, end: @escaping @Sendable () -> Void) async -> Place? {
        let memory = BatchBody.memory(ofBody: size)
        let place = Place(state.withLock { $0.room.ask(memory, user: user) }, of: self)
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

    /// Refuses all who wait, now and in future, because the server is stopping.
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

    /// Changes the room, and wakes those who now fit.
    private func change(_ body: (inout State) -> [BodyRoom.Claim]) {
        let woken = state.withLock { state in
            body(&state).compactMap { state.waiting.removeValue(forKey: $0.id) }
        }
        for continuation in woken { continuation.resume() }
    }

    /// Ends the connections of bodies that take too long while others wait.
    private func endSlow() {
        let slow = state.withLock { state in
            state.receiving.values.filter { $0.since.duration(to: .now) >= patience / 2 }.map(\.end)
        }
        for end in slow { end() }
    }
}
