import ControlAPI

/// The errors in a batch's items: at least one for every bad item, but no more in all than a program
/// would want to read.
struct ItemErrors {
    /// The most errors beyond the first of each item.
    static let maximumFurther = 10_000
    /// The longest field name and the longest reason, in characters.
    private static let maximumField = 64
    private static let maximumReason = 500

    /// The errors in ascending order of index.
    private(set) var list: [ProblemJSON.ItemError] = []
    /// The number of bad items.
    private(set) var badItems = 0
    /// True if the current item has an error.
    private(set) var areOfThisItem = false
    private var index = -1

    /// Starts the next item.
    mutating func beginItem() {
        index += 1
        areOfThisItem = false
    }

    /// Adds an error in the current item.
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
