import ControlAPI
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JobCore
import JobEngine
import Logging
import NIOCore

/// Answers requests: from the head that came in to the last byte that goes out.
struct RequestHandler: Sendable {
    let configuration: ControlServerConfiguration
    let control: any JobControl
    let queries: any JobQueries
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let stop: StopSignal
    let metrics: ServerMetrics
    let connections: ConnectionRegistry
    let frames: EventFrames
    let followers: Followers

    /// The answer was sent before the body had been read to its end, so the
    /// connection can't be used for another request.
    struct BodyLeftUnread: Error {}

    /// Answers one request.
    func respond(
        to request: Request,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        switch try await admit(request, writer: writer, channel: channel) {
        case .refused(let refusal, let rest):
            try await refuse(request, refusal, rest: rest, writer: writer)
        case .admitted(let admission, _) where admission.route == .events:
            try await followEvents(request, writer: writer, channel: channel)
        case .admitted(let admission, let body):
            let reply = await answer(admission.route, request: request, body: body, channel: channel)
            metrics.answered(status: reply.status.code, after: ContinuousClock.now - start)
            let response = reply.response(headOnly: admission.headOnly)
            try await writer.write(response: response.head, body: response.body)
        }
    }

    // MARK: Before the answer

    private enum Admitted {
        case admitted(Admission, body: ByteBuffer)
        /// Carries what is left of the body, where reading it had begun: it can be iterated once only.
        case refused(Admission.Refusal, rest: RequestBody.AsyncIterator?)
    }

    private func admit(
        _ request: Request,
        writer: borrowing ResponseWriter,
        channel: any Channel
    ) async throws -> Admitted {
        let admission: Admission
        do throws(Admission.Refusal) {
            admission = try Admission(request, maximumBodySize: configuration.maximumBodySize)
            try permit(admission.route, connections.client(of: channel))
        } catch {
            return .refused(error, rest: nil)
        }
        var body = ByteBuffer()
        // The body of a follower is where its going shows.
        if admission.route == .events { return .admitted(admission, body: body) }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        let limit = admission.route.takesBody ? configuration.maximumBodySize : Self.unusedBodySize
        var chunks = request.body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard body.readableBytes + chunk.readableBytes <= limit else {
                return .refused(Admission.Refusal(.bodyTooLarge(limit)), rest: chunks)
            }
            body.writeImmutableBuffer(chunk)
        }
        return .admitted(admission, body: body)
    }

    /// The largest body, in bytes, that is read where none is wanted.
    private static let unusedBodySize = 64 << 10

    private func permit(_ route: Route, _ client: Client?) throws(Admission.Refusal) {
        switch client?.right ?? .nothing {
        case .change: return
        case .look where !route.changesThings: return
        case .look:
            throw Admission.Refusal(
                ProblemJSON(
                    .notPermitted,
                    "you may look but not change anything; ask an administrator to add you to the group of "
                        + "control.write-group"
                )
            )
        case .nothing:
            throw Admission.Refusal(
                ProblemJSON(
                    .notPermitted,
                    "you may not use this daemon; ask an administrator to add you to the group of control.group"
                )
            )
        }
    }

    /// Answers with a problem.
    ///
    /// What is left of the body is read and thrown
    /// away, up to as much as a body may have, so that the client gets to see
    /// the answer instead of a broken pipe.
    private func refuse(
        _ request: Request,
        _ refusal: Admission.Refusal,
        rest: RequestBody.AsyncIterator?,
        writer: consuming ResponseWriter
    ) async throws {
        var reply = Reply.problem(refusal.problem, fields: refusal.fields)
        let closes = refusal.problem.status == 413
        if closes { reply.fields[.connection] = "close" }
        metrics.answered(status: reply.status.code, after: .zero)
        let response = reply.response(headOnly: request.method == .head)
        try await writer.write(response: response.head, body: response.body)
        guard closes else { return }
        var chunks = rest ?? request.body.makeAsyncIterator()
        var left = configuration.maximumBodySize
        while let chunk = try await chunks.next() {
            left -= chunk.readableBytes
            if left < 0 { break }
        }
        throw BodyLeftUnread()
    }
}
