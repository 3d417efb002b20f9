/// 128 bits that nobody can guess, as text.
struct Secret: Hashable, Sendable {
    /// The secret, 32 hexadecimal digits.
    let text: String

    /// A new secret.
    init() {
        var random = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        text = String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
    }

    /// Returns whether a text is this secret, found out in a time that doesn't tell how much of it is right.
    func isEqual(to other: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
