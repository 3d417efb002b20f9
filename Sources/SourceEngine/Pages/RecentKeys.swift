import JobCore

/// The keys that a walk has met lately, which tell when a list comes to nothing but what it has listed
/// already.
///
/// It holds between one and two times as many as it has room for: a few words an item, for a bounded
/// number of items.
struct RecentKeys {
    /// The number of keys that it is sure to hold, which is the most items of a walk by default.
    static let room = 100_000

    private var new: Set<ItemHash> = []
    private var old: Set<ItemHash> = []
    private var walk = 0

    /// Returns how many of these keys the walk hasn't met.
    func unmet(_ keys: Set<ItemHash>, in walk: Int) -> Int {
        self.walk == walk ? keys.count { !new.contains($0) && !old.contains($0) } : keys.count
    }

    /// Takes keys that the walk has met; those of another walk are forgotten.
    mutating func insert(_ keys: Set<ItemHash>, of walk: Int) {
        if self.walk != walk { (new, old, self.walk) = ([], [], walk) }
        for key in keys where !old.contains(key) {
            new.insert(key)
            guard new.count >= Self.room else { continue }
            old = new
            new = []
        }
    }
}
