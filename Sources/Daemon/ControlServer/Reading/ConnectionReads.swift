import JobEngine

/// The gates in front of all that reads, at which users take turns.
struct ReadGates: Sendable {
    /// Questions of one user take all readers of the store, and one place is left for others.
    let usual = FairGate<UInt32?>(width: 5)
    /// Searches, of which each may take a second, share a reader.
    let searches = FairGate<UInt32?>(width: 2)
}

/// What one connection reads: by its user's turns, and no longer than it lasts.
struct ConnectionReads: Sendable {
    /// What a question waits for.
    enum Turn: Sendable {
        case none
        case usual
        case search
    }

    let gates: ReadGates
    let user: UInt32?
    /// The signal raised when the connection is closed; nil if it is closed already.
    let closed: StopSignal?

    /// Reads once it is the user's turn.
    ///
    /// - Throws: `CancellationError` if the connection is closed before the end of what had to wait for a turn, and
    ///   what `read` throws.
    func pass<Value: Sendable>(
        _ turn: Turn,
        _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let gate: FairGate<UInt32?>
        switch turn {
        case .none: return try await read()
        case .usual: gate = gates.usual
        case .search: gate = gates.searches
        }
        guard let closed else { throw CancellationError() }
        return try await closed.untilRaised { try await gate.pass(user, read) }
    }
}

extension Endpoint {
    /// Returns what a call waits for: steering never waits, nor does what is in memory.
    func turn(of call: Call) -> ConnectionReads.Turn {
        switch id {
        case _ where changesThings: .none
        case "showStatus", "showMetrics", "showDescription": .none
        // It reads a row of every document; the newest few have an index.
        case "indexDocuments" where call[Parameters.firstDocuments] == nil: .search
        // They are looked for on a thread of their own, for one client at a time.
        case "listDuplicates": .usual
        default: call.isSearch ? .search : .usual
        }
    }
}

extension Call {
    /// True if many rows may have to be read to answer it, with the reader that searches share.
    fileprivate var isSearch: Bool {
        let filter = filter
        // What names its jobs reads those.
        guard filter.ids == nil else { return false }
        if filter.text != nil || filter.minFaces != nil || filter.outcome != nil || !filter.meta.isEmpty {
            return true
        }
        let isOfEvents = self[Parameters.since] != nil || self[Parameters.newest] != nil
        let isOfDocuments =
            self[Parameters.match] != nil || self[Parameters.documentOrder] ?? .newest != .newest
        return isOfEvents || isOfDocuments || endings != nil && (filter.source != nil || filter.state != nil)
    }
}
