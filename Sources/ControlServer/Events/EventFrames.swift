import ControlAPI
import FoundationEssentials
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
        let frame = EventFrameText(EventJSON(event)).buffer
        cache.withLock { cache in
            if cache.events.count >= Self.capacity { cache.events = [:] }
            cache.events[event.id] = frame
        }
        return frame
    }

    /// How far a transfer has come.
    func frame(of job: JobID, _ batch: BatchID, _ transfer: LiveTransfer) throws -> ByteBuffer {
        if let (known, frame) = cache.withLock({ $0.progress[job] }), known == transfer { return frame }
        let frame = try Self.frame(.progress, id: nil, data: ProgressJSON(job, batch, transfer))
        cache.withLock { cache in
            if cache.progress.count >= Self.capacity { cache.progress = [:] }
            cache.progress[job] = (transfer, frame)
        }
        return frame
    }

    /// Any frame.
    ///
    /// The data is one line: JSON escapes line feeds.
    static func frame(_ event: EventJSON.StreamName, id: Int64?, data: some Encodable) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        var frame = ByteBuffer()
        if let id { frame.writeString("id: \(id)\n") }
        frame.writeString("event: \(event.rawValue)\ndata: ")
        frame.writeBytes(try encoder.encode(data))
        frame.writeString("\n\n")
        return frame
    }
}
