import ControlAPI
import NIOCore

/// An event as a line of JSON (RFC 8259), put together by hand: some ten are sent for every file,
/// and Foundation's encoder takes twenty times as long over each.
///
/// Members are in the order of their names; those without a value are left out, as
/// ``EventJSON`` has it.
struct EventFrameText {
    private(set) var buffer = ByteBuffer()
    private var isFirst = true

    /// The frame of a durable event.
    init(_ event: EventJSON) {
        buffer.reserveCapacity(minimumWritableBytes: 512)
        buffer.writeString("id: \(event.id)\nevent: job\ndata: {")
        member("batch", event.batch)
        member("bytes", event.bytes)
        member("code", event.code)
        member("elapsed", event.elapsed)
        member("face_count", event.faceCount.map { Int64($0) })
        member("id", event.id)
        member("job", event.job)
        member("kind", event.kind)
        member("message", event.message)
        member("name", event.name)
        member("outcome", event.outcome)
        member("path", event.path)
        member("percent", event.percent.map { Int64($0) })
        member("reason", event.reason)
        member("time", event.time)
        member("total_bytes", event.totalBytes)
        member("until", event.until)
        member("url", event.url)
        buffer.writeStaticString("}\n\n")
    }

    private mutating func begin(_ name: StaticString) {
        buffer.writeStaticString(isFirst ? "\"" : ",\"")
        isFirst = false
        buffer.writeStaticString(name)
        buffer.writeStaticString("\":")
    }

    private mutating func member(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        begin(name)
        buffer.writeString(String(number))
    }

    private mutating func member(_ name: StaticString, _ number: Double) {
        begin(name)
        buffer.writeString(Int64(exactly: number).map { String($0) } ?? String(number))
    }

    private mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        begin(name)
        buffer.writeStaticString("\"")
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for byte in text.utf8 { escape(byte) }
        } else {
            buffer.writeString(text)
        }
        buffer.writeStaticString("\"")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: buffer.writeBytes([0x5C, byte])
        case 0x0A: buffer.writeStaticString("\\n")
        case 0x0D: buffer.writeStaticString("\\r")
        case 0x09: buffer.writeStaticString("\\t")
        case 0..<0x20:
            buffer.writeStaticString(byte < 0x10 ? "\\u000" : "\\u00")
            buffer.writeString(String(byte, radix: 16))
        default: buffer.writeInteger(byte)
        }
    }
}
