import ControlAPI
import JobEngine
import JobModel
import NIOCore
import Vocabulary

/// Serves one follower of events: first the history that it asks for, then what happens.
struct EventStream: Sendable {
    let queries: any JobQueries
    let reads: ConnectionReads
    let outbox: FollowerOutbox
    let frames: EventFrames
    let batch: BatchID?

    /// The number of events read from the history at a time.
    private static let pageSize = 500
    /// The number of bytes to collect before writing.
    private static let chunkSize = 64 << 10

    /// Writes until the outbox ends or the client disconnects.
    ///
    /// - Parameters:
    ///   - after: The last event that the client has; nil for only what happens from now on, 0 for
    ///     everything that is kept.
    ///   - follows: Whether to go on after the events that are kept.
    ///   - write: Sends bytes to the client.
    func run(after: Int64?, follows: Bool, write: (ByteBuffer) async throws -> Void) async throws {
        var last = after ?? 0
        if let after { last = try await replay(after: after, write: write) }
        guard follows else { return }
        for await _ in outbox.wakeUps {
            let contents = outbox.drain(atMost: Self.chunkSize)
            var chunk = ByteBuffer()
            for entry in contents.entries {
                try await append(entry, to: &chunk, last: &last)
                if chunk.readableBytes >= Self.chunkSize {
                    try await write(chunk)
                    chunk.clear()
                }
            }
            if contents.needsHeartbeat && chunk.readableBytes == 0 { chunk = EventFrames.heartbeat }
            if chunk.readableBytes > 0 { try await write(chunk) }
            if contents.hasEnded { return }
        }
    }

    private func append(_ entry: EventBus.Item, to chunk: inout ByteBuffer, last: inout Int64) async throws {
        switch entry {
        case .event(let event):
            // A replayed event may also have been published in the meantime.
            guard event.id > last else { return }
            last = event.id
            chunk.writeImmutableBuffer(frames.frame(of: event))
        case .progress(let job, let batch, let transfer):
            chunk.writeImmutableBuffer(frames.frame(of: job, batch, transfer))
        case .missed:
            let oldest = try await queries.eventRange()?.lowerBound
            chunk.writeImmutableBuffer(
                EventFrames.frame(
                    .missed,
                    id: nil,
                    data: NoticeJSON(
                        after: last,
                        oldest: oldest,
                        detail:
                            "this stream was read too slowly and lost events after \(last); follow again with "
                            + "Last-Event-ID: \(last) to get them, or fetch the jobs again with GET /v1/jobs"
                    )
                )
            )
        }
    }

    /// Writes the history after an event, and returns the last event written.
    private func replay(after: Int64, write: (ByteBuffer) async throws -> Void) async throws -> Int64 {
        var last = after
        if let notice = try await hole(after: after) {
            try await write(EventFrames.frame(.gone, id: nil, data: notice))
            last = (notice.oldest ?? 1) - 1
        }
        repeat {
            // Everything in the outbox is durable, so it is also in the history read from here on. This
            // makes up for whatever the outbox dropped during a long replay.
            let dropped = outbox.drain()
            if dropped.hasEnded { outbox.end() }
            while true {
                let read = last
                guard let (chunk, end) = try await reads.pass(.usual, { try await page(after: read) }) else {
                    break
                }
                last = end
                try await write(chunk)
            }
        } while outbox.hasMissed
        return last
    }

    /// Returns a page of the history with the last event on it; nil if there are no further events.
    private func page(after last: Int64) async throws -> (chunk: ByteBuffer, last: Int64)? {
        let events = try await queries.events(after: last, limit: Self.pageSize, batch: batch)
        guard let end = events.last else { return nil }
        var chunk = ByteBuffer()
        for event in events where event.id > last { chunk.writeImmutableBuffer(frames.frame(of: event)) }
        return (chunk, end.id)
    }

    /// Returns the notice for a client whose last event is outside of the history; nil if nothing is
    /// missing.
    private func hole(after: Int64) async throws -> NoticeJSON? {
        guard after > 0 else { return nil }
        let range = try await queries.eventRange()
        if let range, range.contains(after) || after == range.lowerBound - 1 { return nil }
        return NoticeJSON(
            after: after,
            oldest: range?.lowerBound,
            detail:
                "events after \(after) are no longer kept, or were never given out; fetch the jobs again with "
                + "GET /v1/jobs. What is kept follows"
                + (range.map { ", from event \($0.lowerBound)" } ?? "")
        )
    }
}
