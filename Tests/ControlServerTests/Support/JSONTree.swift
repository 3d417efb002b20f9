@testable import ControlServer

/// A whole JSON text, put together from what a reader gives piece by piece.
enum JSONTree: Hashable, Sendable {
    case scalar(JSONValue)
    case array([JSONTree])
    case object([Member])

    struct Member: Hashable, Sendable {
        var key: String
        var value: JSONTree
    }

    /// Reads a whole text.
    static func read(_ bytes: [UInt8]) throws(JSONReader.Malformed) -> JSONTree {
        var reader = JSONReader(bytes)
        let tree = try JSONTree(&reader)
        try reader.end()
        return tree
    }

    private init(_ reader: inout JSONReader) throws(JSONReader.Malformed) {
        let next = reader.bytes[reader.position...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch next {
        case UInt8(ascii: "["):
            var items: [JSONTree] = []
            _ = try reader.elements { (reader) throws(JSONReader.Malformed) in
                items.append(try JSONTree(&reader))
            }
            self = .array(items)
        case UInt8(ascii: "{"):
            var members: [Member] = []
            _ = try reader.members { (reader, key) throws(JSONReader.Malformed) in
                members.append(Member(key: key, value: try JSONTree(&reader)))
            }
            self = .object(members)
        default: self = .scalar(try reader.value())
        }
    }
}
