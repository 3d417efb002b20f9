import Glibc
import JobModel
import Vocabulary

/// Parses the lines of a response's heads, as libcurl hands them over.
///
/// That is decided by where a line stands and not by how it begins: a server can send a field whose name is that
/// of a status line. A status line is the first line, or follows the blank line that ended an interim response
/// (RFC 9112 §2.1, RFC 9110 §15.2).
struct HeadLines: Sendable {
    /// A line.
    enum Line {
        /// The first line of a head: the status, and the major version of HTTP.
        case status(Int, version: Int)
        /// A field; white space around its value isn't removed.
        case field(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
        /// More of the field in the line before (RFC 9112 §5.2).
        case continuation(UnsafeRawBufferPointer)
        /// The blank line after the head of the final response.
        case end
        /// Nothing that says anything: the end of an interim response, a trailer field, a line that is no field.
        case nothing
        /// The head violates HTTP in the given way.
        case malformed(String)
    }

    private enum Place {
        case beforeStatus, inFields, afterField, behind
    }

    /// The most bytes of all heads of an answer together, its trailer fields included; a server that sends more
    /// would never end.
    static let longest = 256 * 1024

    private var place = Place.beforeStatus
    private var isInterim = false
    private var length = 0

    /// True if the head of the final response has ended.
    var isComplete: Bool { place == .behind }

    /// Parses the next line, including its line break.
    mutating func parse(_ line: UnsafeRawBufferPointer) -> Line {
        length += line.count
        if length > Self.longest {
            return .malformed("its header section is longer than \(Self.longest) bytes")
        }
        guard let first = line.first else { return .nothing }
        switch place {
        case .behind: return .nothing
        case .beforeStatus: return begin(line)
        case .inFields, .afterField: break
        }
        // So does libcurl: what follows in such a line belongs to nothing.
        if first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n") { return end() }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            return place == .afterField ? .continuation(line) : .nothing
        }
        guard let base = line.baseAddress, let found = memchr(base, Int32(UInt8(ascii: ":")), line.count)
        else {
            place = .inFields
            return .nothing
        }
        let colon = UnsafeRawPointer(found) - base
        place = .afterField
        return .field(
            name: UnsafeRawBufferPointer(rebasing: line[..<colon]),
            value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
        )
    }

    /// Reads a status line: `HTTP/1.1 200 OK`, or what libcurl makes of one that comes otherwise, `HTTP/2 200`.
    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Line {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), space >= 6, space + 3 < line.count,
            let version = Self.number(line[5..<6]), let status = Self.number(line[(space + 1)...(space + 3)]),
            status >= 100
        else { return .malformed("its first line is not a status line") }
        place = .inFields
        isInterim = status < 200
        return .status(status, version: version)
    }

    private mutating func end() -> Line {
        place = isInterim ? .beforeStatus : .behind
        return isInterim ? .nothing : .end
    }

    /// The number that these digits are; nil if they are none.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
        var number = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = 10 * number + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}

extension UnsafeRawBufferPointer {
    /// The text of a field's value, without white space and line breaks around it.
    var trimmedText: String { ForeignText.field(trimmed) }

    /// The same of a field that says where something is, whose bytes stay the same.
    var trimmedReference: String { PercentEncoding.text(ofURL: trimmed) }

    private var trimmed: Slice<UnsafeRawBufferPointer> {
        var rest = self[...]
        while let byte = rest.first, byte <= 0x20 { rest.removeFirst() }
        while let byte = rest.last, byte <= 0x20 { rest.removeLast() }
        return rest
    }
}

/// Texts of strangers, who send bytes.
enum ForeignText {
    /// Returns a header field's value, or what was taken from one, as text: UTF-8, and where it isn't that,
    /// ISO 8859-1, as in browsers, which fields were in before (RFC 9110 §5.5).
    static func field(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }
}
