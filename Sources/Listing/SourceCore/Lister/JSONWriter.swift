import Vocabulary

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
        JSONString.append(value, to: &open, .byNumberWithDelete)
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
        JSONString.append(name, to: &open, .byNumberWithDelete)
        open.append(0x3A)
    }
}
