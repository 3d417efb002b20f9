import JobCore
import JobModel

/// Collects the head of a page's answer, line by line as libcurl hands it over.
struct PageHeadReader: Sendable {
    /// The status of the latest head; 0 before the first.
    private(set) var status = 0
    /// The header fields of the latest head in their order.
    private(set) var fields: [PageRequest.Field] = []
    /// The heads' violation of HTTP; nil if there is none.
    private(set) var violation: String?
    private var lines = HeadLines()

    /// Parses a line; false if the heads make no sense, or are too long.
    mutating func parse(_ line: UnsafeRawBufferPointer) -> Bool {
        switch lines.parse(line) {
        case .status(let status, _):
            // An interim response may have come before: its fields say nothing of this one.
            self.status = status
            fields = []
        case .field(let name, let value):
            let name = ForeignText.field(name)
            fields.append(.init(name: name, value: Self.text(of: value, in: name)))
        case .continuation(let value):
            guard let last = fields.popLast() else { break }
            // libcurl, which finds the body's end, doesn't look there.
            if ["content-length", "transfer-encoding"].contains(last.name.lowercased()) {
                violation = "the field that frames its body goes on in another line"
                return false
            }
            fields.append(
                .init(name: last.name, value: last.value + " " + Self.text(of: value, in: last.name))
            )
        case .end, .nothing: break
        case .malformed(let reason):
            violation = reason
            return false
        }
        return true
    }

    /// The value of a field as text; of one that says where something is, the bytes stay the same.
    private static func text(of value: UnsafeRawBufferPointer, in name: String) -> String {
        let isReference = ["location", "content-location", "link"].contains(name.lowercased())
        return isReference ? value.trimmedReference : value.trimmedText
    }
}
