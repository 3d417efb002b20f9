import ControlAPI

/// What is wrong with the items of a batch: of every bad item something, and no more in all than a
/// program wants to read.
struct ItemErrors {
    /// How many reasons there may be, beside the first of each item.
    static let maximumFurther = 10_000
    /// The longest name of a field, and the longest reason, in characters.
    private static let maximumField = 64
    private static let maximumReason = 500

    /// The reasons, by ascending index.
    private(set) var list: [ProblemJSON.ItemError] = []
    /// How many items are bad.
    private(set) var badItems = 0
    /// True where something is wrong with the item being read.
    private(set) var areOfThisItem = false
    private var index = -1

    /// Goes on to the next item.
    mutating func beginItem() {
        index += 1
        areOfThisItem = false
    }

    /// Says that something is wrong with the item being read.
    mutating func refuse(_ field: String, _ reason: String) {
        if !areOfThisItem {
            areOfThisItem = true
            badItems += 1
        } else if list.count - badItems >= Self.maximumFurther {
            return
        }
        list.append(
            .init(
                index: index,
                field: field.cut(Self.maximumField),
                reason: reason.cut(Self.maximumReason)
            )
        )
    }
}

extension String {
    fileprivate func cut(_ length: Int) -> String {
        utf8.count <= length ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(length)))
    }
}
