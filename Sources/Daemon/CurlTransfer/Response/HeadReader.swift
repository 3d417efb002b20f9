import Glibc
import JobCore
import JobModel

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

    /// A field that matters.
    private enum Field {
        case acceptRanges, botMark, contentDisposition, contentEncoding, contentLength, contentRange,
            contentType, date
        case entityTag, lastModified, location, mitigation, rateLimitRemaining, rateLimitReset, retryAfter
        case robots, server, setCookie, transferEncoding
    }

    private(set) var head = ResponseHead(status: 0)
    /// True if the message itself shows the end of the body (RFC 9112 §6.3).
    private(set) var isFramed = false
    var isComplete: Bool { lines.isComplete }
    private var lines = HeadLines()
    private let isSecure: Bool
    /// The field of the line before, if it matters and goes on in the next line.
    private var latest: Field?

    /// Creates a reader for an answer; `isSecure` says that it comes over TLS, without which libcurl never speaks
    /// HTTP/2 here.
    init(isSecure: Bool = true) { self.isSecure = isSecure }

    /// Parses a line, including its line break.
    mutating func parse(_ line: UnsafeRawBufferPointer) -> Progress {
        switch lines.parse(line) {
        case .status(let status, let version):
            // There may have been an interim response, whose fields don't apply to this one.
            head = ResponseHead(status: status)
            latest = nil
            // From HTTP/2 on, frames show where a body ends. Any server can write that version, though.
            isFramed = version >= 2 && isSecure
            return .more
        case .field(let name, let value): return field(name: name, value: value)
        case .continuation(let value): return goOn(with: value)
        case .end: return end()
        case .nothing: return .more
        case .malformed(let reason): return .malformed(reason)
        }
    }

    private mutating func end() -> Progress {
        let isChunked = TransferCodings(head.transferEncoding).isChunked
        // RFC 9112 §6.3: a transfer coding overrides a length.
        if head.transferEncoding != nil { head.contentLength = nil }
        if isChunked || head.contentLength != nil { isFramed = true }
        return .complete
    }

    private mutating func field(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Progress {
        latest = Self.field(named: name)
        var isTaken = true
        switch latest {
        case .acceptRanges: isTaken = Self.set(&head.acceptRanges, value)
        case .botMark: head.hasBotMark = true
        case .contentDisposition: isTaken = Self.set(&head.contentDisposition, value)
        // Each field adds codings that were applied after those of the fields before (RFC 9110 §8.4).
        case .contentEncoding: Self.add(value, to: &head.contentEncoding, after: ", ")
        case .contentLength: return contentLength(value)
        case .contentRange: isTaken = Self.set(&head.contentRange, value)
        case .contentType: isTaken = Self.set(&head.contentType, value)
        case .date: isTaken = Self.set(&head.date, value)
        case .entityTag: isTaken = Self.set(&head.entityTag, value)
        case .lastModified: isTaken = Self.set(&head.lastModified, value)
        case .location:
            isTaken = head.location == nil
            if isTaken { head.location = value.trimmedReference }
        case .mitigation: isTaken = Self.set(&head.mitigation, value)
        case .rateLimitRemaining: isTaken = Self.set(&head.rateLimitRemaining, value)
        case .rateLimitReset: isTaken = Self.set(&head.rateLimitReset, value)
        case .retryAfter: isTaken = Self.set(&head.retryAfter, value)
        case .robots: head.add(robots: value.trimmedText)
        case .server: isTaken = Self.set(&head.server, value)
        case .setCookie: head.add(cookie: value.trimmedText)
        case .transferEncoding: Self.add(value, to: &head.transferEncoding, after: ", ")
        case nil: break
        }
        if !isTaken { latest = nil }
        return .more
    }

    /// Sets a field unless it has been set by an earlier one; returns whether it did.
    ///
    /// It doesn't use key paths, which would cost more than the rest of a head.
    private static func set(_ field: inout String?, _ value: UnsafeRawBufferPointer) -> Bool {
        guard field == nil else { return false }
        field = value.trimmedText
        return true
    }

    private static func add(
        _ value: UnsafeRawBufferPointer,
        to field: inout String?,
        after separator: String
    ) {
        field = (field.map { $0 + separator } ?? "") + value.trimmedText
    }

    /// Adds the rest of a field that goes on in another line; the line break counts as a space (RFC 9112
    /// §5.2).
    private mutating func goOn(with value: UnsafeRawBufferPointer) -> Progress {
        func add(to field: inout String?) { Self.add(value, to: &field, after: " ") }
        switch latest {
        case .acceptRanges: add(to: &head.acceptRanges)
        case .contentDisposition: add(to: &head.contentDisposition)
        case .contentEncoding: add(to: &head.contentEncoding)
        // libcurl, which finds the body's end, doesn't look there.
        case .contentLength: return .malformed("its Content-Length goes on in another line")
        case .transferEncoding: return .malformed("its Transfer-Encoding goes on in another line")
        case .contentRange: add(to: &head.contentRange)
        case .contentType: add(to: &head.contentType)
        case .date: add(to: &head.date)
        case .entityTag: add(to: &head.entityTag)
        case .lastModified: add(to: &head.lastModified)
        case .location: head.location = (head.location.map { $0 + " " } ?? "") + value.trimmedReference
        case .mitigation: add(to: &head.mitigation)
        case .rateLimitRemaining: add(to: &head.rateLimitRemaining)
        case .rateLimitReset: add(to: &head.rateLimitReset)
        case .retryAfter: add(to: &head.retryAfter)
        case .robots: head.goOn(robots: value.trimmedText)
        case .server: add(to: &head.server)
        case .botMark, .setCookie, nil: break
        }
        return .more
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

    private static func field(named name: UnsafeRawBufferPointer) -> Field? {
        switch name.count {
        case 4 where name.spells("Date"): .date
        case 4 where name.spells("ETag"): .entityTag
        case 6 where name.spells("Server"): .server
        case 8 where name.spells("Location"): .location
        case 10 where name.spells("Set-Cookie"): .setCookie
        case 11 where name.spells("Retry-After"): .retryAfter
        case 12 where name.spells("Content-Type"): .contentType
        case 12 where name.spells("CF-Mitigated"): .mitigation
        case 12 where name.spells("X-Robots-Tag"): .robots
        case 13 where name.spells("Accept-Ranges"): .acceptRanges
        case 13 where name.spells("Content-Range"): .contentRange
        case 13 where name.spells("Last-Modified"): .lastModified
        case 14 where name.spells("Content-Length"): .contentLength
        case 14 where name.spells("X-Sucuri-Block"): .botMark
        case 16 where name.spells("Content-Encoding"): .contentEncoding
        case 17 where name.spells("Transfer-Encoding"): .transferEncoding
        case 17 where name.spells("X-Amzn-Waf-Action"): .mitigation
        case 17 where name.spells("X-RateLimit-Reset"): .rateLimitReset
        case 19 where name.spells("Content-Disposition"): .contentDisposition
        case 21 where name.spells("X-RateLimit-Remaining"): .rateLimitRemaining
        default: nil
        }
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
}
