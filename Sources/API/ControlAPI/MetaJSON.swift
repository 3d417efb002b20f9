import FoundationEssentials

/// Facts about a job that whoever added it wants to know later: any JSON object, as it goes over the socket.
public struct MetaJSON: APIValue {
    /// The object as JSON.
    public let text: String

    /// An object that is JSON already.
    public init(verbatim text: String) { self.text = text }

    /// An object of texts.
    public init(_ members: [String: String]) {
        var json = JSONText()
        members.write(to: &json)
        text = String(decoding: json.bytes, as: UTF8.self)
    }

    /// The members in the order of their names; a value that is no string as JSON.
    public var members: [(name: String, text: String)] {
        guard case .object(let members) = Tree(text) else { return [] }
        return members.sorted { $0.key < $1.key }.map { name, value in
            if case .string(let text) = value { (name, text) } else { (name, value.text) }
        }
    }

    /// Any object.
    public static var schema: JSONSchema { .anyObject }
    /// Writes the object as it is.
    public func write(to text: inout JSONText) { text.verbatim(self.text) }

    /// Reads any object.
    public init(from decoder: any Decoder) throws {
        let tree = try Tree(from: decoder)
        guard case .object = tree else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "it is not an object")
            )
        }
        text = tree.text
    }

    /// Writes the same object as ``write(to:)``.
    public func encode(to encoder: any Encoder) throws { try Tree(text).encode(to: encoder) }
}

/// Any JSON value.
private indirect enum Tree: Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case natural(UInt64)
    case number(Double)
    case string(String)
    case array([Tree])
    case object([String: Tree])

    /// Creates it from a text; null if that is no JSON.
    init(_ text: String) {
        self = (try? JSONDecoder().decode(Tree.self, from: Data(text.utf8))) ?? .null
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let members = try? value.decode([String: Tree].self) {
            self = .object(members)
        } else if let elements = try? value.decode([Tree].self) {
            self = .array(elements)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let truth = try? value.decode(Bool.self) {
            self = .bool(truth)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(UInt64.self) {
            self = .natural(number)
        } else {
            self = .number(try value.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let truth): try value.encode(truth)
        case .integer(let number): try value.encode(number)
        case .natural(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let elements): try value.encode(elements)
        case .object(let members): try value.encode(members)
        }
    }

    var text: String {
        var json = JSONText()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONText) {
        switch self {
        case .null: json.null()
        case .bool(let truth): json.value(truth)
        case .integer(let number): json.value(number)
        case .natural(let number): json.value(number)
        case .number(let number): json.value(number)
        case .string(let text): json.value(text)
        case .array(let elements): json.array(elements) { $0.write(to: &$1) }
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    value.write(to: &json)
                }
            }
        }
    }
}
