import ControlAPI
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Answers the requests that come to a gallery: by itself for its page, through the daemon for the rest.
struct Gateway: Sendable {
    /// Who may ask for what.
    let rules: Admission.Rules
    /// The way in.
    let invitation: Invitation
    /// The files of the page.
    let files: PageFiles
    /// Where the daemon's control socket is.
    let socket: String
    /// Knows when somebody has asked last.
    let activity: Activity
    /// Called when somebody has come in by a link.
    let entered: @Sendable () -> Void

    /// The longest body of a request to the gallery itself.
    private static let longestToken = 1024

    /// Answers one request; `current` is its connection's.
    func respond(
        to request: Request,
        writer: consuming ResponseWriter,
        current: CurrentExchange
    ) async throws {
        let admission: Admission
        do throws(Refusal) {
            admission = try Admission(request.head, rules)
        } catch {
            return try await refuse(error, request, writer)
        }
        // Who is refused doesn't use the gallery.
        switch admission {
        case .page(let path):
            guard let file = files[path] else { return try await refuse(.notFound, request, writer) }
            activity.begin()
            defer { activity.end() }
            try await write(.ok, type: file.type, file.bytes, request, writer)
        case .serviceWorker:
            // Asked for by a browser on its own.
            try await write(.ok, type: ServiceWorkerEnd.type, ServiceWorkerEnd.script, request, writer)
        case .session:
            try await begin(request, writer)
        case .forward(let route):
            activity.begin()
            defer { activity.end() }
            try await forward(request, route, writer, current)
        }
    }

    // MARK: The way in

    private func begin(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        var body = ByteBuffer()
        for try await piece in request.body {
            guard body.readableBytes + piece.readableBytes <= Self.longestToken else {
                return try await refuse(.badToken, request, writer)
            }
            body.writeImmutableBuffer(piece)
        }
        guard let token = TokenBody.token(in: body.readableBytesView), invitation.redeem(token) else {
            return try await refuse(.badToken, request, writer)
        }
        activity.begin()
        defer { activity.end() }
        entered()
        var fields = PageHeaders.fields
        fields[.setCookie] = rules.session.setCookie
        fields[.contentType] = "application/json"
        let answer = Array("{\"secret\":\(JSONText.string(rules.session.secret.text))}".utf8)
        try await write(.ok, fields, answer, request, writer)
    }

    // MARK: Through the daemon

    private func forward(
        _ request: Request,
        _ route: ForwardedRoute,
        _ writer: consuming ResponseWriter,
        _ current: CurrentExchange
    ) async throws {
        let daemon: DaemonConnection
        do {
            let isThinned = route.kind == .events && !EventThinning.isSpared(request.head.path ?? "")
            daemon = try await DaemonConnection(socket: socket, isThinned: isThinned)
        } catch {
            return try await refuse(.noDaemon, request, writer)
        }
        // Who goes needs no answer any more.
        current.begin { daemon.close() }
        defer { current.finish() }
        let isHead = request.method == .head
        var writer: ResponseWriter? = writer
        do {
            try await daemon.exchange(PassedFields.request(request.head), body: request.body) { head, body in
                guard let out = writer.take() else { return }
                var body = body
                var stream = try await out.writeHead(PassedFields.response(head, for: route))
                while !isHead, let piece = try await body.next() { try await stream.write(piece) }
                try await stream.finish(nil)
            }
        } catch {
            // With its head gone, only the end of the connection can say that there is something missing.
            guard let unused = writer.take() else { throw error }
            try await refuse(.daemonBroke, request, unused)
        }
    }

    // MARK: Answers

    private func refuse(
        _ refusal: Refusal,
        _ request: Request,
        _ writer: consuming ResponseWriter
    ) async throws {
        var fields = PageHeaders.fields
        fields[.contentType] = "application/problem+json"
        // What is left of a body can't be told from a next request.
        fields[.connection] = "close"
        let status = HTTPResponse.Status(code: refusal.status, reasonPhrase: refusal.problem.title)
        try await write(status, fields, refusal.problem.json, request, writer)
        throw Refused()
    }

    /// The connection ends with a refusal.
    struct Refused: Error {}

    private func write(
        _ status: HTTPResponse.Status,
        type: String,
        _ bytes: [UInt8],
        _ request: Request,
        _ writer: consuming ResponseWriter
    ) async throws {
        var fields = PageHeaders.fields
        fields[.contentType] = type
        try await write(status, fields, bytes, request, writer)
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
        guard request.method != .head else { return try await writer.writeResponse(head) }
        try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
