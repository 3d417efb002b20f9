import JobCore

/// The keys that a walk has met lately, to know when a list comes to nothing but what it has listed already.
///
/// It holds between one and two times as many as it has room for: words an item, for a bounded number of them.
struct RecentKeys {
    /// How many keys it is sure to hold: as many as a walk has by default.
    static let room = 100_000

    private var new: Set<ItemHash> = []
    private var old: Set<ItemHash> = []

    /// Takes a key; false where the walk has met it.
    mutating func insert(_ key: ItemHash) -> Bool {
        guard !old.contains(key) else { return false }
        guard new.insert(key).inserted else { return false }
        if new.count >= Self.room {
            old = new
            new = []
        }
        return true
    }
}
