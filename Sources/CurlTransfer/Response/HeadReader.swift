import Glibc
import JobCore

/// Assembles a response's head from the lines that libcurl passes on.
///
/// It runs for every line of every response, so it only looks at the fields that matter.
struct HeadReader {
    /// The result of reading a line.
    enum Progress: Equatable {
        /// The head continues.
        case more
        /// The final response's head is complete, and in ``head``.
        case complete
        /// The head violates HTTP in the given way.
        case malformed(String)
    }

    /// The most bytes of a head, including interim responses; a server that sends more would never end.
    static let maximumLength = 256 * 1024

    private(set) var head = ResponseHead(status: 0)
    /// Whether the message itself shows where the body ends (RFC 9112 §6.3).
    private(set) var isFramed = false
    private(set) var isComplete = false
    private var length = 0
    private var hasTransferCoding = false
    private var isChunked = false

    /// Takes a line, including its line break.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Progress {
        if isComplete { return .more }  // a trailer field
        length += line.count
        if length > Self.maximumLength {
            return .malformed("its header section is longer than \(Self.maximumLength) bytes")
        }
        guard let first = line.first else { return .more }
        if first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n") { return end() }
        guard let base = line.baseAddress else { return .more }
        if line.count > 8, memcmp(base, "HTTP/", 5) == 0 { return begin(line) }
        guard let found = memchr(base, Int32(UInt8(ascii: ":")), line.count) else { return .more }
        let colon = UnsafeRawPointer(found) - base
        return field(
            name: UnsafeRawBufferPointer(rebasing: line[..<colon]),
            value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
        )
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Progress {
        // There may have been an interim response, whose fields don't apply to this one.
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), space + 3 < line.count,
            let status = Int(String(decoding: line[(space + 1)...(space + 3)], as: UTF8.self))
        else { return .malformed("its first line is not a status line") }
        head = ResponseHead(status: status)
        hasTransferCoding = false
        isChunked = false
        // From HTTP/2 on, frames show where a body ends.
        isFramed = line[5] >= UInt8(ascii: "2")
        return .more
    }

    private mutating func end() -> Progress {
        guard head.status >= 200 else { return .more }
        // RFC 9112 §6.3: a transfer coding overrides a length.
        if hasTransferCoding { head.contentLength = nil }
        if isChunked || head.contentLength != nil { isFramed = true }
        isComplete = true
        return .complete
    }

    private mutating func field(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Progress {
        switch name.count {
        case 4 where name.spells("Date"): Self.set(&head.date, value)
        case 4 where name.spells("ETag"): Self.set(&head.entityTag, value)
        case 8 where name.spells("Location"): Self.set(&head.location, value)
        case 11 where name.spells("Retry-After"): Self.set(&head.retryAfter, value)
        case 12 where name.spells("Content-Type"): Self.set(&head.contentType, value)
        case 13 where name.spells("Accept-Ranges"): Self.set(&head.acceptRanges, value)
        case 13 where name.spells("Content-Range"): Self.set(&head.contentRange, value)
        case 13 where name.spells("Last-Modified"): Self.set(&head.lastModified, value)
        case 14 where name.spells("Content-Length"): return contentLength(value)
        case 16 where name.spells("Content-Encoding"):
            // Each field adds codings that were applied after those of the fields before
            // (RFC 9110 §8.4).
            let earlier = head.contentEncoding.map { $0 + ", " } ?? ""
            head.contentEncoding = earlier + value.trimmedText
        case 17 where name.spells("Transfer-Encoding"): transferCoding(value)
        case 19 where name.spells("Content-Disposition"): Self.set(&head.contentDisposition, value)
        default: break
        }
        return .more
    }

    /// Sets a field unless it has been set by an earlier one.
    ///
    /// It doesn't use key paths, which would cost more than the rest of a head.
    private static func set(_ field: inout String?, _ value: UnsafeRawBufferPointer) {
        if field == nil { field = value.trimmedText }
    }

    /// Only chunked coding shows where the body ends, and only as the last coding.
    private mutating func transferCoding(_ value: UnsafeRawBufferPointer) {
        hasTransferCoding = true
        isChunked = value.trimmedText.lowercased().hasSuffix("chunked")
    }

    private mutating func contentLength(_ value: UnsafeRawBufferPointer) -> Progress {
        let text = value.trimmedText
        // RFC 9110 §8.6: digits, without a sign.
        guard text.utf8.first.map({ $0 >= UInt8(ascii: "0") }) ?? false, let length = Int64(text) else {
            return .malformed("its Content-Length is not a number")
        }
        if let earlier = head.contentLength, earlier != length {
            return .malformed("it gives two different lengths")
        }
        head.contentLength = length
        return .more
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether these are the letters of a field's name in either case; the counts must be equal.
    fileprivate func spells(_ name: StaticString) -> Bool {
        guard let base = baseAddress else { return false }
        return strncasecmp(
            base.assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
            count
        ) == 0
    }

    fileprivate var trimmedText: String {
        var rest = self[...]
        while let byte = rest.first, byte <= 0x20 { rest.removeFirst() }
        while let byte = rest.last, byte <= 0x20 { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}
