import Vocabulary

/// 128 bits that nobody can guess, as text.
struct Secret: Hashable, Sendable {
    /// The secret, 32 hexadecimal digits.
    let text: String

    /// A new secret.
    init() {
        text = (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexText
    }

    /// Returns whether a text is this secret, found out in a time that doesn't tell how much of it is right.
    func isEqual(to other: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
