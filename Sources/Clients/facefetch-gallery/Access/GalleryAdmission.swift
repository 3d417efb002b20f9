import HTTPTypes

/// The decision about a request by its head alone.
enum GalleryAdmission: Hashable, Sendable {
    /// A file of the page, by its path: the same for everybody, and nothing of anybody.
    case page(String)
    /// The script of a service worker, which this gallery has none of: another program had this port.
    case serviceWorker
    /// A token is brought in exchange for a session.
    case session
    /// Something for the daemon, which has it at this target.
    case forward(ForwardedRoute, target: String)
    /// The documents of these jobs, as one archive.
    case archive([Int64])

    /// Rules of who may ask a gallery for what.
    struct Rules: Sendable {
        /// The names that the gallery has.
        var hosts: OwnHosts
        /// The session that there is.
        var session: Session
        /// The files of the page.
        var files: Set<String>
    }

    /// Looks at a head.
    init(_ head: HTTPRequest, _ rules: Rules) throws(Refusal) {
        guard let host = head.authority, OwnHosts.isHost(host), let target = head.path, target.hasPrefix("/")
        else { throw .malformed }
        guard rules.hosts.have(host) else { throw .otherHost }
        let path = String(target.prefix { $0 != "?" })
        let isSafe = head.method == .get || head.method == .head
        let isPage = isSafe && rules.files.contains(path)
        guard Self.isOwnPage(head, isSafe: isSafe) || (path == "/" && isPage && Self.isFollowedLink(head))
        else { throw .otherSite }
        // A browser says so whenever it looks for a newer script (Service Workers, Update).
        if head.method == .get, head.headerFields[.serviceWorker] == "script" {
            self = .serviceWorker
            return
        }
        if isPage {
            self = .page(path)
            return
        }
        if head.method == .post, path == "/session" {
            self = .session
            return
        }
        guard Self.hasSession(head, rules) else { throw .noCookie }
        guard let target = rules.session.target(behindPrefixOf: target) else { throw .badPrefix }
        self = try Self.inside(head, target, isSafe: isSafe, rules)
    }

    /// Decides about a request of somebody who has been let in, for what is behind the session's prefix.
    private static func inside(
        _ head: HTTPRequest,
        _ target: String,
        isSafe: Bool,
        _ rules: Rules
    ) throws(Refusal) -> GalleryAdmission {
        let path = String(target.prefix { $0 != "?" })
        if isSafe, path == ArchiveRequest.path {
            guard let jobs = ArchiveRequest.jobs(in: target) else { throw .badArchive }
            return .archive(jobs)
        }
        guard let route = ForwardedRoute(head.method, path: path) else { throw .notFound }
        if !isSafe {
            guard let secret = head.headerFields[.secret], rules.session.secret.isEqual(to: secret) else {
                throw .badSecret
            }
        }
        return .forward(route, target: target)
    }

    /// Returns whether a request shows the session's cookie.
    static func hasSession(_ head: HTTPRequest, _ rules: Rules) -> Bool {
        head.headerFields[values: .cookie].contains(where: rules.session.admits)
    }

    /// Returns whether a request comes from the gallery's own page, as the browser says (Fetch Metadata):
    /// what only looks may also come from nobody's page, and what changes something must say whose it is.
    private static func isOwnPage(_ head: HTTPRequest, isSafe: Bool) -> Bool {
        let origin = head.headerFields[.origin]
        if let origin, !isOwn(origin, head.authority) { return false }
        switch head.headerFields[.secFetchSite] {
        case "same-origin": return true
        case "none": return isSafe
        case nil: return isSafe || origin != nil
        default: return false
        }
    }

    /// Returns whether an Origin is that of the host that is asked (RFC 6454 §6).
    private static func isOwn(_ origin: String, _ host: String?) -> Bool {
        guard let name = host?.lowercased() else { return false }
        return ["http://\(name)", "https://\(name)"].contains(origin.lowercased())
    }

    /// Returns whether somebody follows a link to the page, which says nothing until it has been let in: the
    /// file that opens the browser is another site to it.
    private static func isFollowedLink(_ head: HTTPRequest) -> Bool {
        head.headerFields[.secFetchMode] == "navigate" && head.headerFields[.secFetchDest] == "document"
            && head.headerFields[.origin] == nil
    }
}

extension HTTPField.Name {
    /// The site of the page that makes a request.
    static let secFetchSite = constant("Sec-Fetch-Site")
    /// The mode of the request.
    static let secFetchMode = constant("Sec-Fetch-Mode")
    /// The purpose of the request.
    static let secFetchDest = constant("Sec-Fetch-Dest")
    /// Says that the script of a service worker is asked for.
    static let serviceWorker = constant("Service-Worker")
    /// The second secret of a session.
    static let secret = constant(Session.field)
    /// The event after which an event stream goes on.
    static let lastEventID = constant("Last-Event-ID")
    /// A key that makes a repeated post harmless.
    static let idempotencyKey = constant("Idempotency-Key")

    /// A name that is known to be one; any other would be no field at all.
    static func constant(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .trailer }
}
