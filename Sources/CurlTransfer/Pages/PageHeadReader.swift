import JobCore

/// Collects the head of a page's answer, line by line as libcurl hands it over.
struct PageHeadReader: Sendable {
    /// The most bytes of all heads of an answer together.
    static let longest = 256 * 1024

    /// The status of the latest head; 0 before the first.
    private(set) var status = 0
    /// The header fields of the latest head in their order.
    private(set) var fields: [PageRequest.Field] = []
    private var length = 0

    /// Takes a line; false where that makes the heads too long.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        length += line.count
        guard length <= Self.longest else { return false }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // An interim response may have come before: its fields say nothing of this one.
            status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
            fields = []
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = text[text.index(after: colon)...]
            fields.append(
                .init(
                    name: String(text[..<colon]),
                    value: String(value.drop { $0 == " " || $0 == "\t" }.trimmedEnd)
                )
            )
        }
        return true
    }
}

extension Substring {
    /// Without white space and line breaks at its end.
    fileprivate var trimmedEnd: Substring {
        var rest = self
        while let last = rest.unicodeScalars.last, last.value <= 0x20 { rest.unicodeScalars.removeLast() }
        return rest
    }
}
