import ControlAPI
import HTTPServer
import HTTPTypes
import JobEngine
import JobModel
import NIOCore
import Synchronization
import Vocabulary

extension RequestHandler {
    /// Answers `GET /v1/events` with a stream that ends when the client disconnects or the server stops.
    func followEvents(
        _ request: Request,
        _ route: Route,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        let follower: Follower
        let reads: ConnectionReads
        do {
            let client = connections.client(of: channel)
            let closed = connections.closed(channel)
            let call = try Call(request, route, body: [], client: client, closed: closed)
            reads = self.reads(for: call)
            follower = try await reads.pass(route.endpoint.turn(of: call)) {
                try await self.follower(call)
            }
        } catch {
            let reply = await answer(request) { throw error }
            metrics.answered(status: reply.status.code, after: .zero)
            return try await writer.write(reply)
        }
        guard let gone = connections.gone(channel) else { throw ChannelError.alreadyClosed }
        // Subscribing before the history is read ensures that there is no gap between them.
        let subscription = control.events.subscribe()
        let user = reads.user
        let outbox = FollowerOutbox(
            batch: follower.batch,
            limit: configuration.eventBacklog,
            room: outboxes,
            user: user
        )
        let token = stop.whenRaised { outbox.end() }
        _ = gone.whenRaised { outbox.end() }
        followers.add(1)
        defer {
            stop.forget(token)
            followers.add(-1)
        }
        let stream = EventStream(
            queries: queries,
            reads: reads,
            outbox: outbox,
            frames: frames,
            batch: follower.batch
        )
        let out = try await writer.begin(
            HTTPResponse(
                status: .ok,
                headerFields: [.contentType: "text/event-stream", .cacheControl: "no-store"]
            )
        )
        try await out.write(EventFrames.greeting(after: follower.after))
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
            try await stream.run(after: follower.after, follows: follower.stays) { chunk in
                // Large chunks are counted, since a page of the history may be large and each follower
                // has one.
                guard chunk.readableBytes > UnreadAnswers.smallSize else { return try await out.write(chunk) }
                let id = unread.enter(chunk.readableBytes, user: user) { channel.close(promise: nil) }
                defer { unread.leave(id) }
                try await out.write(chunk)
                try await TakenWatcher.wait(for: channel)
            }
        }
        try await out.finish()
    }

    /// The minimum time between two deliveries to a follower while there is little to deliver.
    ///
    /// A hundred followers woken for every turn would slow the engine down. The first event after a
    /// pause is delivered at once.
    private static let pace = Duration.milliseconds(50)
    private static let little = 256

    /// Moves items from the bus to the outbox until the bus ends.
    private static func carry(_ subscription: EventBus.Subscription, to outbox: FollowerOutbox) async {
        var iterator = subscription.makeAsyncIterator()
        while true {
            let pieces = await iterator.nextPieces()
            guard !pieces.isEmpty else { return }
            for piece in pieces { outbox.offer(piece) }
            if pieces.reduce(0, { $0 + $1.count }) < little { try? await Task.sleep(for: pace) }
        }
    }

    /// A follower's request.
    private struct Follower: Sendable {
        /// The batch whose events are wanted; nil for all.
        var batch: BatchID?
        /// The event after which to begin; nil for what happens from now on.
        var after: Int64?
        /// True if the stream goes on after the events that are kept.
        var stays: Bool
    }

    private func follower(_ call: Call) async throws -> Follower {
        let batch = call[Parameters.batch].map(BatchID.init(rawValue:))
        // The header of a returning client takes precedence over the query that it began with.
        var after = call[Parameters.lastEventID] ?? call[Parameters.afterEvent]
        if let since = call[Parameters.since] {
            after = max(after ?? 0, try await queries.lastEvent(before: since))
        }
        if let batch, try await queries.batch(batch) == nil { throw ProblemJSON.noSuchBatch(batch) }
        // A returning client has had those, and would miss what came meanwhile.
        if let count = call[Parameters.newest], call[Parameters.lastEventID] == nil {
            after = max(after ?? 0, try await queries.lastEvent(leaving: Int(count), of: batch))
        }
        return Follower(batch: batch, after: after, stays: call[Parameters.follow] ?? true)
    }
}

/// Counts the clients that follow the events.
final class Followers: Sendable {
    private let number = Mutex(0)
    private let changed: @Sendable (Int) -> Void

    init(changed: @escaping @Sendable (Int) -> Void) { self.changed = changed }

    /// The number of followers.
    var count: Int { number.withLock { $0 } }

    /// Adds to the number; `difference` may be negative.
    func add(_ difference: Int) {
        number.withLock { number in
            number += difference
            changed(number)
        }
    }
}
