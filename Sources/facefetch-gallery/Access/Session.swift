/// The secrets that a browser has once it was let in: a cookie, and a second one for what changes something.
///
/// A cookie alone is too little: browsers send it to every port of this machine, whoever listens there
/// (RFC 6265 §8.5). The secret is known to the page only.
struct Session: Sendable {
    /// The header field that carries the second secret.
    static let field = "X-Facefetch-Secret"

    private let cookie = Secret()
    private let name: String
    /// The secret that the page is told.
    let secret = Secret()

    /// A session of the gallery at a port.
    init(port: Int) { name = "facefetch-\(port)" }

    /// The Set-Cookie that lets a browser in.
    var setCookie: String { "\(name)=\(cookie.text); HttpOnly; SameSite=Strict; Path=/" }

    /// Returns whether a Cookie has this session's.
    func admits(cookie field: String) -> Bool {
        field.split(separator: ";").contains { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == name && cookie.isEqual(to: String(pair[1]))
        }
    }
}
