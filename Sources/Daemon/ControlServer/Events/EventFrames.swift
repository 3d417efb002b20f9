import ControlAPI
import JobEngine
import JobModel
import NIOCore
import Synchronization
import Vocabulary

/// Formats server-sent events (the event stream format of the HTML standard, §9.2.6).
///
/// The same event goes to every follower, so its frame is made once and kept for a while.
final class EventFrames: Sendable {
    private struct Cache {
        var events: [Int64: ByteBuffer] = [:]
        var progress: [JobID: (LiveTransfer, ByteBuffer)] = [:]
    }

    /// The most frames kept of each kind; beyond that, all are dropped.
    private static let capacity = 1024

    private let cache = Mutex(Cache())

    /// The comment that shows that the stream is alive.
    static let heartbeat = ByteBuffer(string: ": alive\n\n")
    /// Returns the comment at the start, after which no event is lost, with the event that the stream begins
    /// after, where that is known: who comes back before the first event says so.
    static func greeting(after: Int64?) -> ByteBuffer {
        ByteBuffer(string: ": following\n" + (after.map { "id: \($0)\n" } ?? "") + "\n")
    }

    /// Returns the frame of a durable event, with its id.
    func frame(of event: JobEvent) -> ByteBuffer {
        if let frame = cache.withLock({ $0.events[event.id] }) { return frame }
        let frame = Self.frame(.job, id: event.id, data: EventJSON(event))
        cache.withLock { cache in
            if cache.events.count >= Self.capacity { cache.events = [:] }
            cache.events[event.id] = frame
        }
        return frame
    }

    /// Returns the frame of a transfer's progress.
    func frame(of job: JobID, _ batch: BatchID, _ transfer: LiveTransfer) -> ByteBuffer {
        if let (known, frame) = cache.withLock({ $0.progress[job] }), known == transfer { return frame }
        let frame = Self.frame(.progress, id: nil, data: ProgressJSON(job, batch, transfer))
        cache.withLock { cache in
            if cache.progress.count >= Self.capacity { cache.progress = [:] }
            cache.progress[job] = (transfer, frame)
        }
        return frame
    }

    /// Returns a frame of any type.
    ///
    /// The data is a single line, since JSON escapes line feeds.
    static func frame(_ event: EventJSON.StreamName, id: Int64?, data: some APIObject) -> ByteBuffer {
        let head = (id.map { "id: \($0)\n" } ?? "") + "event: \(event.rawValue)\ndata: "
        var text = JSONText(after: Array(head.utf8))
        data.write(to: &text)
        return ByteBuffer(bytes: text.bytes + Array("\n\n".utf8))
    }

    /// The stream's description in the OpenAPI document.
    static let shape = AnswerShape(
        type: "text/event-stream",
        schema: .anyObject
            .described("A server-sent event; its name says what its data is.")
            .rule("required", #"["event","data"]"#)
            .rule("properties", "{\"id\":\(id.json),\"event\":\(name.json),\"data\":\(data.json)}"),
        objects: [EventJSON.self, ProgressJSON.self, NoticeJSON.self]
    )

    private static let id = JSONSchema.string(pattern: "^(0|[1-9][0-9]*)$")
        .described("For job, and for a stream's beginning, without data; it goes into Last-Event-ID.")
    private static let name = APIWord<EventJSON.StreamName>.schema
    private static let data = JSONSchema.string().rule("contentMediaType", #""application/json""#).rule(
        "contentSchema",
        "{\"anyOf\":[\(EventJSON.schema.json),\(ProgressJSON.schema.json),\(NoticeJSON.schema.json)]}"
    )
}
