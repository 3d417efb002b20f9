import ControlAPI
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JobCore
import JobEngine
import NIOCore

extension RequestHandler {
    /// Answers `GET /v1/events` with a stream that ends when the client goes or the server stops.
    func followEvents(
        _ request: Request,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        let batch: BatchID?
        let after: Int64?
        let follows: Bool
        do {
            (batch, after, follows) = try await follower(request)
        } catch {
            let reply = Reply.problem(
                error as? ProblemJSON
                    ?? ProblemJSON(.internalError, "the history can't be read; the log says why")
            )
            metrics.answered(status: reply.status.code, after: .zero)
            try await writer.write(
                response: reply.response(headOnly: false).head,
                body: .init(byteBuffer: reply.body)
            )
            return
        }
        guard let gone = connections.gone(channel) else { throw ChannelError.alreadyClosed }
        // First listen, then read the history: so there is no gap between them.
        let subscription = control.events.subscribe()
        let outbox = Outbox(batch: batch, limit: configuration.eventBacklog)
        let token = stop.whenRaised { outbox.end() }
        _ = gone.whenRaised { outbox.end() }
        followers.add(1)
        defer {
            stop.forget(token)
            followers.add(-1)
        }
        let stream = EventStream(queries: queries, outbox: outbox, frames: frames, batch: batch)
        var out = try await writer.writeHead(
            HTTPResponse(
                status: .ok,
                headerFields: [.contentType: "text/event-stream", .cacheControl: "no-store"]
            )
        )
        try await out.write(EventFrames.greeting)
        metrics.answered(status: 200, after: .zero)
        let heartbeat = configuration.heartbeat
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await Self.carry(subscription, to: outbox)
                outbox.end()
            }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: heartbeat)
                    outbox.askForHeartbeat()
                }
            }
            defer { group.cancelAll() }
            try await stream.run(after: after, follows: follows) { try await out.write($0) }
        }
        try await out.finish(nil)
    }

    /// The least time between two deliveries to a follower that has little to hear.
    ///
    /// A hundred followers that are woken for every turn of the engine take its time from it. The
    /// first event after a pause is delivered at once.
    private static let pace = Duration.milliseconds(50)
    private static let little = 256

    /// Puts into the outbox what the bus says, until it ends.
    private static func carry(_ subscription: EventBus.Subscription, to outbox: Outbox) async {
        var iterator = subscription.makeAsyncIterator()
        while true {
            let pieces = await iterator.nextPieces()
            guard !pieces.isEmpty else { return }
            for piece in pieces { outbox.offer(piece) }
            if pieces.reduce(0, { $0 + $1.count }) < little { try? await Task.sleep(for: pace) }
        }
    }

    private func follower(_ request: Request) async throws -> (BatchID?, Int64?, Bool) {
        let query = try Query(request, known: Route.events.parameters)
        let batch = try query.integer("batch", in: 1...Int64.max).map(BatchID.init(rawValue:))
        var after = try query.integer("after", in: 0...Int64.max)
        // A client that comes back says so by the header; the query is what it began with.
        let field = request.headers.first { $0.name.canonicalName == "last-event-id" }
        if let text = field?.value, !text.isEmpty {
            guard let id = Int64(decimal: text) else {
                throw ProblemJSON(
                    .invalidParameter,
                    "Last-Event-ID must be an event's id, not \(text.quoted)"
                )
            }
            after = id
        }
        if let since = try query.time("since") {
            after = max(after ?? 0, try await queries.lastEvent(before: since))
        }
        if let batch, try await queries.batch(batch) == nil { throw ProblemJSON.noSuchBatch(batch) }
        return (batch, after, try query.boolean("follow") ?? true)
    }
}
