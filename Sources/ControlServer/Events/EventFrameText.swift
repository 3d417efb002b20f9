import ControlAPI
import NIOCore

/// An event as a server-sent frame, put together by hand: some ten are sent for every file.
///
/// Members without a value are left out, as ``EventJSON`` has it.
struct EventFrameText {
    private(set) var buffer = ByteBuffer()

    /// The frame of a durable event.
    init(_ event: EventJSON) {
        buffer.reserveCapacity(minimumWritableBytes: 512)
        buffer.writeString("id: \(event.id)\nevent: job\ndata: ")
        var text = JSONText(after: buffer)
        text.object { text in
            text.member("batch", event.batch)
            text.member("bytes", event.bytes)
            text.member("code", event.code)
            text.name("elapsed")
            text.value(event.elapsed)
            text.member("face_count", event.faceCount.map { Int64($0) })
            text.member("id", event.id)
            text.member("job", event.job)
            text.member("kind", event.kind.text)
            text.member("message", event.message)
            text.member("name", event.name)
            text.member("outcome", event.outcome?.text)
            text.member("path", event.path)
            text.member("percent", event.percent.map { Int64($0) })
            text.member("reason", event.reason)
            text.member("shared_from", event.sharedFrom)
            text.member("time", event.time)
            text.member("total_bytes", event.totalBytes)
            text.member("until", event.until)
            text.member("url", event.url)
        }
        buffer = text.buffer
        buffer.writeStaticString("\n\n")
    }
}

extension JSONText {
    /// Writes a member, unless it has no value.
    fileprivate mutating func member(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    /// Writes a member, unless it has no value.
    fileprivate mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }
}
