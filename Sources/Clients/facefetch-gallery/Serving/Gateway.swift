import ControlAPI
import HTTPServer
import HTTPTypes
import NIOCore
import Vocabulary

/// Answers the requests that come to a gallery: by itself for its page, through the daemon for the rest.
struct Gateway: Sendable {
    /// Rules of who may ask for what.
    let rules: GalleryAdmission.Rules
    /// The way in.
    let invitation: Invitation
    /// The files of the page.
    let files: PageFiles
    /// The path of the daemon's control socket.
    let socket: String
    /// Knows when somebody has asked last.
    let activity: Activity
    /// Called when somebody has come in by a link.
    let entered: @Sendable () -> Void

    /// The longest body of a request to the gallery itself.
    private static let longestToken = 1024

    /// The rest of a request that has been answered.
    enum Rest: Hashable, Sendable {
        /// Nothing: the next one may follow.
        case nothing
        /// Part of its body, which can't be told from a next request.
        case unread
    }

    /// Answers one request; `current` is its connection's.
    func respond(
        to request: Request,
        body: RequestBody,
        writer: consuming ResponseWriter,
        current: CurrentExchange
    ) async throws -> Rest {
        let admission: GalleryAdmission
        do throws(Refusal) {
            admission = try GalleryAdmission(request.head, rules)
        } catch {
            return try await refuse(error, request, writer)
        }
        // Who is refused doesn't use the gallery.
        switch admission {
        case .page(let path):
            guard let file = files[path] else { return try await refuse(.notFound, request, writer) }
            activity.begin()
            defer { activity.end() }
            return try await write(type: file.type, file.bytes, request, writer)
        case .serviceWorker:
            // Asked for by a browser on its own.
            return try await write(type: ServiceWorkerEnd.type, ServiceWorkerEnd.script, request, writer)
        case .session:
            return try await begin(request, body, writer)
        case .forward(let route, let target):
            activity.begin()
            defer { activity.end() }
            return try await forward(request, body, route, target, writer, current)
        case .archive(let jobs):
            activity.begin()
            defer { activity.end() }
            guard request.hasNoBody else { return try await refuse(.malformed, request, writer) }
            // Once it has begun, only its end can say that nobody is there.
            do {
                try await askForNothing()
            } catch {
                return try await refuse(.noDaemon, request, writer)
            }
            return try await archive(jobs, request, writer, current)
        }
    }

    // MARK: The way in

    private func begin(
        _ request: Request,
        _ body: RequestBody,
        _ writer: consuming ResponseWriter
    ) async throws -> Rest {
        var sent = ByteBuffer()
        while let piece = try await body.next() {
            guard sent.readableBytes + piece.readableBytes <= Self.longestToken else {
                return try await refuse(.badToken, request, writer)
            }
            sent.writeImmutableBuffer(piece)
        }
        guard let token = TokenBody.token(in: sent.readableBytesView), invitation.redeem(token) else {
            return try await refuse(.badToken, request, writer)
        }
        activity.begin()
        defer { activity.end() }
        entered()
        var fields = PageHeaders.fields
        fields[.setCookie] = rules.session.setCookie
        fields[.contentType] = "application/json"
        let (secret, prefix) = (rules.session.secret.text, rules.session.prefix)
        let answer = Array("{\"secret\":\(JSONString.of(secret)),\"prefix\":\(JSONString.of(prefix))}".utf8)
        try await write(.ok, fields, answer, request, writer)
        return .nothing
    }

    // MARK: Through the daemon

    private func forward(
        _ request: Request,
        _ body: RequestBody,
        _ route: ForwardedRoute,
        _ target: String,
        _ writer: consuming ResponseWriter,
        _ current: CurrentExchange
    ) async throws -> Rest {
        let daemon: DaemonConnection
        do {
            let isThinned = route.kind == .events && !EventThinning.isSpared(target)
            daemon = try await DaemonConnection(socket: socket, isThinned: isThinned)
        } catch {
            return try await refuse(.noDaemon, request, writer)
        }
        // Who goes needs no answer any more.
        current.begin(isEndless: route.kind == .events) { daemon.close() }
        defer { current.finish() }
        let isHead = request.method == .head
        var writer: ResponseWriter? = writer
        var rest = Rest.unread
        let question = PassedFields.request(request.head, target: target)
        do {
            try await daemon.exchange(question, body: body) { head, body in
                guard let out = writer.take() else { return }
                var (head, body) = (PassedFields.response(head, for: route), body)
                if body.answersWhole { rest = .nothing } else { head.headerFields[.connection] = "close" }
                let stream = try await out.begin(head)
                while !isHead, let piece = try await body.next() { try await stream.write(piece) }
                try await stream.finish()
            }
        } catch let broken as DaemonConnection.BrokenBody {
            // Its sender hears of that.
            throw broken.cause
        } catch {
            // With its head gone, only the end of the connection can say that there is something missing.
            guard let unused = writer.take() else { throw error }
            return try await refuse(.daemonBroke, request, unused)
        }
        return rest
    }

    // MARK: Answers

    private func refuse(
        _ refusal: Refusal,
        _ request: Request,
        _ writer: consuming ResponseWriter
    ) async throws -> Rest {
        var fields = PageHeaders.fields
        fields[.contentType] = "application/problem+json"
        fields[.connection] = "close"
        let status = HTTPResponse.Status(code: refusal.status, reasonPhrase: refusal.problem.title)
        try await write(status, fields, refusal.problem.json, request, writer)
        return .unread
    }

    /// Answers with what is the same for everybody, whatever is sent along with the request.
    private func write(
        type: String,
        _ bytes: [UInt8],
        _ request: Request,
        _ writer: consuming ResponseWriter
    ) async throws -> Rest {
        var fields = PageHeaders.fields
        fields[.contentType] = type
        let rest = request.hasNoBody ? Rest.nothing : .unread
        if rest == .unread { fields[.connection] = "close" }
        try await write(.ok, fields, bytes, request, writer)
        return rest
    }

    private func write(
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields,
        _ bytes: [UInt8],
        _ request: Request,
        _ writer: consuming ResponseWriter
    ) async throws {
        var fields = fields
        fields[.contentLength] = "\(bytes.count)"
        let head = HTTPResponse(status: status, headerFields: fields)
        try await writer.write(head, body: request.method == .head ? nil : ByteBuffer(bytes: bytes))
    }
}

/// The body that brings a token: `{"token":"…"}`.
enum TokenBody {
    /// The token in it; nil if it is anything else.
    ///
    /// No token has a character that JSON escapes.
    static func token(in bytes: some Collection<UInt8>) -> String? {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        func skip(_ text: String) -> Bool {
            rest = rest.drop(while: \.isWhitespace)
            guard rest.hasPrefix(text) else { return false }
            rest = rest.dropFirst(text.count)
            return true
        }
        guard skip("{"), skip("\"token\""), skip(":"), skip("\"") else { return nil }
        let token = rest.prefix { $0.isHexDigit && $0.isASCII }
        rest = rest.dropFirst(token.count)
        guard skip("\""), skip("}"), rest.allSatisfy(\.isWhitespace), !token.isEmpty else { return nil }
        return String(token)
    }
}

/// Ends the service worker that another program has left in the browser for this address and port.
///
/// It would go on answering in the gallery's place. A browser asks for its script anew when a page is opened,
/// and takes this one instead, which gives the address back and opens its pages again.
enum ServiceWorkerEnd {
    /// Its media type; with any other, browsers don't take it.
    static let type = "text/javascript; charset=utf-8"

    /// The script.
    static let script = Array(
        """
        self.addEventListener('install', () => self.skipWaiting());
        self.addEventListener('activate', (event) => event.waitUntil((async () => {
          const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
          await self.registration.unregister();
          await Promise.all(pages.map((page) => page.navigate(page.url).catch(() => null)));
        })()));

        """.utf8
    )
}
