import ControlAPI
import JobCore
import JobEngine
import NIOCore
import Synchronization

/// Writes server-sent events (the event stream format of the HTML standard, §9.2.6).
///
/// The same event goes to every follower, so its frame is made once and kept
/// for a while.
final class EventFrames: Sendable {
    private struct Cache {
        var events: [Int64: ByteBuffer] = [:]
        var progress: [JobID: (LiveTransfer, ByteBuffer)] = [:]
    }

    /// Frames kept of each kind; when there are more, all are let go.
    private static let capacity = 1024

    private let cache = Mutex(Cache())

    /// The comment that says the stream is alive.
    static let heartbeat = ByteBuffer(string: ": alive\n\n")
    /// The comment at the start: from here on nothing is lost.
    static let greeting = ByteBuffer(string: ": following\n\n")

    /// A durable event, with its id.
    func frame(of event: JobEvent) -> ByteBuffer {
        if let frame = cache.withLock({ $0.events[event.id] }) { return frame }
        let frame = Self.frame(.job, id: event.id, data: EventJSON(event))
        cache.withLock { cache in
            if cache.events.count >= Self.capacity { cache.events = [:] }
            cache.events[event.id] = frame
        }
        return frame
    }

    /// How far a transfer has come.
    func frame(of job: JobID, _ batch: BatchID, _ transfer: LiveTransfer) -> ByteBuffer {
        if let (known, frame) = cache.withLock({ $0.progress[job] }), known == transfer { return frame }
        let frame = Self.frame(.progress, id: nil, data: ProgressJSON(job, batch, transfer))
        cache.withLock { cache in
            if cache.progress.count >= Self.capacity { cache.progress = [:] }
            cache.progress[job] = (transfer, frame)
        }
        return frame
    }

    /// Any frame.
    ///
    /// The data is one line: JSON escapes line feeds.
    static func frame(_ event: EventJSON.StreamName, id: Int64?, data: some APIObject) -> ByteBuffer {
        let head = (id.map { "id: \($0)\n" } ?? "") + "event: \(event.rawValue)\ndata: "
        var text = JSONText(after: Array(head.utf8))
        data.write(to: &text)
        return ByteBuffer(bytes: text.bytes + Array("\n\n".utf8))
    }

    /// What the document says of the stream.
    static let shape = AnswerShape(
        type: "text/event-stream",
        schema: .anyObject
            .described("A server-sent event; its name says what its data is.")
            .rule("required", #"["event","data"]"#)
            .rule("properties", "{\"id\":\(id.json),\"event\":\(name.json),\"data\":\(data.json)}"),
        objects: [EventJSON.self, ProgressJSON.self, NoticeJSON.self]
    )

    private static let id = JSONSchema.string(pattern: "^[1-9][0-9]*$")
        .described("For job only; it goes into Last-Event-ID.")
    private static let name = APIWord<EventJSON.StreamName>.schema
    private static let data = JSONSchema.string().rule("contentMediaType", #""application/json""#).rule(
        "contentSchema",
        "{\"anyOf\":[\(EventJSON.schema.json),\(ProgressJSON.schema.json),\(NoticeJSON.schema.json)]}"
    )
}
