/// A writer of a JSON object.
public struct JSONWriter: Sendable {
    private var open: [UInt8] = [0x7B]

    /// Creates a writer of an empty object.
    public init() {}

    /// The object written so far.
    public var bytes: [UInt8] { open + [0x7D] }

    /// Adds a string member; nil is left out.
    public mutating func text(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        Self.quote(value, into: &open)
    }

    /// Adds a string member, or null.
    public mutating func textOrNull(_ name: String, _ value: String?) {
        value == nil ? raw(name, "null") : text(name, value)
    }

    /// Adds a member that is JSON already; nil is left out.
    public mutating func raw(_ name: String, _ json: String?) {
        guard let json else { return }
        begin(name)
        open += Array(json.utf8)
    }

    private mutating func begin(_ name: String) {
        if open.count > 1 { open.append(0x2C) }
        Self.quote(name, into: &open)
        open.append(0x3A)
    }

    private static let hex = Array("0123456789abcdef".utf8)

    private static func quote(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes += [0x5C, 0x75, 0x30, 0x30, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
