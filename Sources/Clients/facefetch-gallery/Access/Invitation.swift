import Synchronization

/// The way into a gallery: a link with a token in it that works once, and for a minute.
final class Invitation: Sendable {
    /// The time for which a token works.
    static let lifetime = Duration.seconds(60)

    private struct Token {
        var secret: Secret
        var end: ContinuousClock.Instant
    }

    private let token = Mutex<Token?>(nil)

    /// Makes a new token, and forgets the one before it.
    func renew(now: ContinuousClock.Instant = .now) -> String {
        let secret = Secret()
        token.withLock { $0 = Token(secret: secret, end: now + Self.lifetime) }
        return secret.text
    }

    /// Redeems a token; true if it was the right one, and that was the only time.
    func redeem(_ text: String, now: ContinuousClock.Instant = .now) -> Bool {
        token.withLock { token in
            guard let known = token, known.secret.isEqual(to: text) else { return false }
            token = nil
            return now < known.end
        }
    }
}
