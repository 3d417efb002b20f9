import JobCore

/// Limits on the number of events kept: some for followers who come back, and more for an event log's file
/// that can't be written.
struct HistoryLimits: Hashable, Sendable {
    /// The most events kept for followers.
    var usual: Int
    /// The most events kept that the log's file lacks.
    var unlogged: Int

    /// The room for events on the store's disk.
    enum Room: Hashable, Sendable {
        /// There is room.
        case ample
        /// The oldest that the log's file has make room for the newest.
        case tight
        /// The last of the store's reserve is in use, so that the oldest go, whether the log has them or
        /// not.
        case last

        /// Returns how much room there is with so many bytes free.
        ///
        /// A commit may need some megabytes, so that the last is not what would only just do.
        init(free: Int64) {
            self = free >= 2 * StoreRoom.margin ? .ample : free >= StoreRoom.margin ? .tight : .last
        }
    }

    /// The newest events, which stay even where there is no room, in number.
    private static let newest: Int64 = 1000

    /// Returns the number of the last event that may be removed.
    ///
    /// `last` is the number of the last event, one of `count` that are being written; `logged` of the last
    /// one that the log's file has, nil if there is no log.
    func bound(last: Int64, count: Int64, logged: Int64?, room: Room) -> Int64 {
        var bound = last - Int64(usual)
        if let logged { bound = max(min(bound, logged - 1), last - Int64(unlogged)) }
        let newest = last - max(count, Self.newest)
        switch room {
        case .ample: return bound
        case .tight: return max(bound, logged.map { min(newest, $0 - 1) } ?? newest)
        case .last: return max(bound, newest)
        }
    }
}
