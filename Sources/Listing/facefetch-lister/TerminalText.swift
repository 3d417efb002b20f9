import Vocabulary

extension String {
    /// The text without what could steer a terminal or hide what it says: pages are strangers' words, and so
    /// is much of what jq and expat say of them.
    var plain: String {
        var plain = UnicodeScalarView()
        for scalar in unicodeScalars { plain.append(scalar.steersTerminal ? "\u{FFFD}" : scalar) }
        return String(plain)
    }
}
