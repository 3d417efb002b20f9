import JobModel

/// The keys that the walk of a list has met lately, which tell when that comes to nothing but what it has
/// listed already.
///
/// Slices are lists of their own, and may have items in common.
///
/// It holds between one and two times as many as it has room for: a few words an item, for a bounded
/// number of items.
struct RecentKeys {
    /// The number of keys that it is sure to hold, which is the most items of a walk by default.
    static let room = 100_000

    private var new: Set<ItemHash> = []
    private var old: Set<ItemHash> = []
    private var list: List?

    /// A list, in one walk.
    struct List: Hashable {
        /// The walk's number.
        var walk: Int
        /// The slice's key; nil for the source itself.
        var slice: String?
    }

    /// Returns how many of these keys the walk hasn't met in the list.
    func unmet(_ keys: Set<ItemHash>, in list: List) -> Int {
        self.list == list ? keys.count { !new.contains($0) && !old.contains($0) } : keys.count
    }

    /// Adds keys that the walk has met in the list; those of another list are forgotten.
    mutating func insert(_ keys: Set<ItemHash>, of list: List) {
        if self.list != list { (new, old, self.list) = ([], [], list) }
        for key in keys where !old.contains(key) {
            new.insert(key)
            guard new.count >= Self.room else { continue }
            old = new
            new = []
        }
    }
}
