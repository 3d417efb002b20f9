/// An object that is sent over the control socket.
///
/// Its ``shape`` is the only definition of its members: the fast writer, `Encodable` and the schema in
/// the OpenAPI document all come from there.
public protocol APIObject: APIValue {
    /// The object's members, with their descriptions for the OpenAPI document.
    static var shape: Shape<Self> { get }
}

extension APIObject {
    /// A reference to the object's schema by name.
    public static var schema: JSONSchema { .object(Self.self) }

    /// The object as JSON, in UTF-8.
    public var json: [UInt8] {
        var text = JSONText()
        write(to: &text)
        return text.bytes
    }

    /// Writes the members in alphabetical order.
    public func write(to text: inout JSONText) {
        text.object { text in
            for write in Self.shape.writers { write(self, &text) }
        }
    }

    /// Writes the same members as ``write(to:)``.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: MemberName.self)
        for encode in Self.shape.encoders { try encode(self, &values) }
    }
}
