/// Decides which kept pictures have to go when they take more room than they may.
enum PictureBudget {
    /// A picture that is kept.
    struct Kept: Hashable, Sendable {
        /// Its file.
        var name: String
        /// True if it is a thumbnail.
        var isThumb: Bool
        /// The time of its last use, in seconds since 1970.
        var used: Int64
        /// Its length in bytes.
        var length: Int64

        init(name: String, isThumb: Bool, used: Int64, length: Int64) {
            self.name = name
            self.isThumb = isThumb
            self.used = used
            self.length = length
        }
    }

    /// Returns the pictures that have to go, so that the others take at most `budget` bytes.
    ///
    /// Those used longest ago go first; thumbnails only when nothing else is left, because very many are
    /// seen at once. If any have to go, an eighth of the budget is made free, so that a full cache isn't
    /// gone through for each new picture.
    static func excess(of kept: [Kept], budget: Int64) -> [Kept] {
        var length = kept.reduce(0) { $0 + $1.length }
        guard length > budget else { return [] }
        let aim = budget - budget / 8
        let order = kept.sorted { lhs, rhs in
            (lhs.isThumb ? 1 : 0, lhs.used, lhs.name) < (rhs.isThumb ? 1 : 0, rhs.used, rhs.name)
        }
        return Array(
            order.prefix { picture in
                guard length > aim else { return false }
                length -= picture.length
                return true
            }
        )
    }
}
