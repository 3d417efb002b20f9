import ControlAPI
import HTTPServer
import HTTPTypes
import JobEngine
import JobModel
import Logging
import NIOCore
import SourceEngine

/// Handles requests, from the head received to the last byte sent.
struct RequestHandler: Sendable {
    let configuration: ControlServerConfiguration
    let control: any JobControl
    let queries: any JobQueries
    /// The port that runs sources; nil if nothing does.
    let sources: (any SourceControl)?
    let now: @Sendable () -> Moment
    let logger: Logger
    let stop: StopSignal
    let metrics: ServerMetrics
    let connections: ConnectionRegistry
    let frames: EventFrames
    let followers: Followers
    let bodies: BodyAdmission
    let submissions = SkippingSubmissions()
    let bodyThread = PatientThread(name: "ff-bodies")
    let unread = UnreadAnswers(total: 64 << 20)
    let outboxes = OutboxRoom(total: 64 << 20)
    let duplicates = Duplicates()
    let provenDocuments = ProvenDocuments()
    let gates = ReadGates()

    /// The error thrown when an answer was sent before the body had been read completely, so that the
    /// connection can't be used for another request.
    struct BodyLeftUnread: Error {}

    /// Handles one request.
    func respond(
        to request: Request,
        body incoming: RequestBody,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        // No further answer is computed for a client that hasn't taken the last one.
        if !channel.isWritable {
            try await TakenWatcher.wait(for: channel, patience: configuration.idleTimeout)
        }
        let start = ContinuousClock.now
        // Asked for once: what a client that goes away has asked for is still carried out, as that client. Under
        // another user, its key would not be known when it asks again.
        let client = connections.client(of: channel)
        let admission: Admission
        do throws(Admission.Refusal) {
            admission = try Admission(request, maximumBodySize: configuration.maximumBodySize)
            try permit(admission.route, client)
        } catch {
            return try await refuse(request, error, rest: incoming, writer: writer, channel: channel)
        }
        let endpoint = admission.route.endpoint
        // A follower's departure shows at its body.
        if case .eventStream = endpoint.handler {
            return try await followEvents(request, admission.route, writer: writer, channel: channel)
        }
        let body: Body
        switch try await receive(incoming, of: request, for: endpoint, writer: writer, channel: channel) {
        case .received(let received): body = received
        case .refused(let refusal):
            return try await refuse(request, refusal, rest: incoming, writer: writer, channel: channel)
        }
        // Held until the answer has been taken as well, which may be just as large.
        defer { withExtendedLifetime(body.place) {} }
        let handle: @Sendable (RequestHandler, Call) async throws -> Reply
        switch endpoint.handler {
        case .reply(let reply): handle = reply
        case .picture(let size):
            return try await sendPicture(size, request, admission, writer: writer, channel: channel)
        case .document, .eventStream:
            return try await sendDocument(request, admission, writer: writer, channel: channel)
        }
        let user = client?.user
        let reply = await answer(request) {
            let closed = connections.closed(channel)
            let call = try Call(request, admission.route, body: body.bytes, client: client, closed: closed)
            return try await reads(for: call).pass(endpoint.turn(of: call)) { try await handle(self, call) }
        }
        metrics.answered(status: reply.status.code, after: ContinuousClock.now - start)
        guard reply.body.readableBytes > UnreadAnswers.smallSize, !admission.headOnly else {
            return try await writer.write(reply, headOnly: admission.headOnly)
        }
        let id = unread.enter(reply.body.readableBytes, user: user) { channel.close(promise: nil) }
        defer { unread.leave(id) }
        try await writer.write(reply)
        try await TakenWatcher.wait(for: channel, patience: configuration.idleTimeout)
    }

    /// Returns what reads for a call's connection.
    func reads(for call: Call) -> ConnectionReads {
        ConnectionReads(gates: gates, user: call.user, closed: call.closed)
    }

    // MARK: Before the answer

    private func permit(_ route: Route, _ client: Client?) throws(Admission.Refusal) {
        if let client, client.isCrowded {
            throw Admission.Refusal(
                ProblemJSON(.busy, "you hold too many connections; close some of them, then try again")
            )
        }
        switch client?.right ?? .nothing {
        case .change: return
        case .look where !route.endpoint.changesThings: return
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
    /// The rest of the body is read and discarded, up to the largest size allowed, so that the client
    /// sees the answer instead of a broken pipe. That goes for every refusal of what could be read as a request: a client that sends all of its body
    /// before it reads would wait with each, and one without an end would never come to its next request.
    private func refuse(
        _ request: Request,
        _ refusal: Admission.Refusal,
        rest: RequestBody,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        var reply = Reply.problem(refusal.problem, fields: refusal.fields)
        // The rest of the body can't be distinguished from the next request.
        let unread: [ProblemCode] = [.bodyTooLarge, .busy, .stopping]
        let closes = unread.contains { $0.rawValue == refusal.problem.code }
        if closes { reply.fields[.connection] = "close" }
        metrics.answered(status: reply.status.code, after: .zero)
        try await writer.write(reply, headOnly: request.method == .head)
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(configuration.idleTimeout)) {
            channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        var left = configuration.maximumBodySize
        while let chunk = try await rest.next() {
            left -= chunk.readableBytes
            guard left >= 0 else { throw BodyLeftUnread() }
        }
        if closes { throw BodyLeftUnread() }
    }

    // MARK: The answer

    /// Computes an endpoint's answer, turning any error into a problem.
    func answer(_ request: Request, _ body: () async throws -> Reply) async -> Reply {
        do {
            return try await body()
        } catch let problem as ProblemJSON {
            return .problem(problem)
        } catch let error as SourceRefusal {
            guard case .control(let cause) = error else { return .problem(ProblemJSON(error)) }
            return .problem(ProblemJSON(error, storeFree: storeFree(for: cause)))
        } catch let error as ControlError {
            return .problem(ProblemJSON(error, storeFree: storeFree(for: error)))
        } catch is CancellationError {
            // Nobody reads this.
            return .problem(ProblemJSON(.stopping, "the connection was closed"))
        } catch {
            logger.error("answering \(request.method) \(request.path) failed: \(error)")
            return .problem(ProblemJSON(.internalError, "the daemon could not answer; its log says why"))
        }
    }

    /// Returns the free bytes on the job store's disk, where an error is about that.
    private func storeFree(for error: ControlError) -> Int64? {
        error == .outOfSpace ? control.status().storeFreeBytes : nil
    }
}
