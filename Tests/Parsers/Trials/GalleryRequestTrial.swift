import HTTPTypes

@testable import facefetch_gallery

/// A request to a gallery, and what is decided about it by its head.
///
/// `$C` stands for the cookie of the session, `$P` for its prefix, `$S` for its second secret.
enum GalleryRequestTrial {
    private static let rules = GalleryAdmission.Rules(
        hosts: OwnHosts(port: 8191),
        session: Session(port: 8191),
        files: ["/", "/app.js"]
    )
    private static let cookie = String(rules.session.setCookie.prefix { $0 != ";" })

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        if let token = TokenBody.token(in: bytes) {
            try promise(
                !token.isEmpty && token.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit },
                "a token isn't one"
            )
        }
        let lines = RequestLines(bytes, authority: "localhost:8191") { value in
            value.replacing("$C", with: cookie).replacing("$P", with: rules.session.prefix)
                .replacing("$S", with: rules.session.secret.text)
        }
        guard let head = lines?.head else { return nil }
        let admission: GalleryAdmission
        do throws(Refusal) { admission = try GalleryAdmission(head, rules) } catch {
            try promise((400...499).contains(error.status) && !error.detail.isEmpty, "there is no reason")
            return nil
        }
        let host = head.authority ?? ""
        try promise(
            ["127.0.0.1:8191", "localhost:8191", "[::1]:8191"].contains(host.lowercased()),
            "it answers under the name \(host)"
        )
        switch admission {
        case .page(let path): try promise(rules.files.contains(path), "there is no \(path)")
        case .serviceWorker:
            try promise(head.headerFields[.serviceWorker] == "script", "nobody asks for a worker")
        case .session: try checkOrigin(of: head, host)
        case .archive(let jobs):
            try checkOrigin(of: head, host)
            try checkSession(of: head)
            try promise((1...500).contains(jobs.count), "an archive of \(jobs.count) documents")
        case .forward(_, let target): try checkForwarding(of: head, target, host)
        }
        let path = (head.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
        return path.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Checks that what changes something was asked for by the gallery's own page (RFC 6454, Fetch Metadata).
    private static func checkOrigin(of head: HTTPRequest, _ host: String) throws(BrokenPromise) {
        let fields = head.headerFields
        let origin = fields[.origin]?.lowercased()
        let own = ["http://" + host.lowercased(), "https://" + host.lowercased()]
        try promise(origin.map(own.contains) ?? true, "the page of \(origin ?? "") was let in")
        let site = fields[.secFetchSite]
        if head.method == .get || head.method == .head {
            try promise(site == nil || site == "same-origin" || site == "none", "\(site ?? "") was let in")
        } else {
            try promise(
                site == "same-origin" || site == nil && origin != nil,
                "\(site ?? "nobody") changed it"
            )
        }
    }

    private static func checkSession(of head: HTTPRequest) throws(BrokenPromise) {
        try promise(
            head.headerFields[values: .cookie].contains { $0.contains(cookie) },
            "it goes on without a session"
        )
        try promise(
            (head.path ?? "").utf8.starts(with: (rules.session.prefix + "/").utf8),
            "the cookie alone is enough"
        )
    }

    /// Nothing goes on without the session's cookie and prefix, nor changes anything without its secret.
    private static func checkForwarding(
        of head: HTTPRequest,
        _ target: String,
        _ host: String
    ) throws(BrokenPromise) {
        try checkOrigin(of: head, host)
        try checkSession(of: head)
        if head.method != .get, head.method != .head {
            try promise(
                head.headerFields[.secret] == rules.session.secret.text,
                "it is changed without the secret"
            )
        }
        let passed = PassedFields.request(head, target: target)
        try promise(
            passed.authority == "localhost" && head.path == rules.session.prefix + target,
            "it goes elsewhere"
        )
        try promise(
            passed.headerFields[.origin] == nil && passed.headerFields[.cookie] == nil,
            "the daemon gets to know what is between the gallery and its page"
        )
        let path = (passed.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        try promise(
            parts.count >= 3 && parts[0].isEmpty && parts[1].elementsEqual("v1".utf8),
            "it goes to \(path)"
        )
        for part in parts.dropFirst() {
            let isPlain = part.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
            try promise(
                isPlain && !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8),
                "a path could mean another"
            )
        }
    }
}
