import Vocabulary

/// The secrets that a browser has once it was let in: a cookie, a prefix before all paths, and a secret for changes.
///
/// A cookie alone is too little: browsers send it to every port of its host, whoever listens there (RFC 6265 §8.5).
/// The other two are known to the page only. Pictures, events and downloads can't carry a header field, so what it
/// takes to read is in the path.
struct Session: Sendable {
    /// The header field that carries the second secret.
    static let field = "X-Facefetch-Secret"

    /// The beginning of the prefix of any session.
    private static let places = "/s/"

    private let cookie = Secret()
    private let name: String
    private let place = Secret()
    /// The secret that the page is told.
    let secret = Secret()

    /// A session of the gallery at a port.
    init(port: Int) { name = "facefetch-\(port)" }

    /// The beginning of every path but those of the page itself.
    var prefix: String { Self.places + place.text }

    /// The Set-Cookie that lets a browser in.
    var setCookie: String { "\(name)=\(cookie.text); HttpOnly; SameSite=Strict; Path=/" }

    /// Returns whether a Cookie has this session's.
    func admits(cookie field: String) -> Bool {
        field.split(separator: ";").contains { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == name && cookie.isEqual(to: String(pair[1]))
        }
    }

    /// Returns what a target asks for behind this session's prefix; nil if it has another one, or none.
    func target(behindPrefixOf target: String) -> String? {
        guard target.utf8.starts(with: Self.places.utf8) else { return nil }
        let rest = target.utf8.dropFirst(Self.places.utf8.count)
        let named = rest.prefix { $0 != UInt8(ascii: "/") }
        guard place.isEqual(to: String(Substring(named))) else { return nil }
        return String(Substring(rest[named.endIndex...]))
    }
}

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
