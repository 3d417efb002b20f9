// Whoever makes a shape does it once, and objects that are written by the million don't come here
// (ListedObject). So these functions are compiled once: a copy of them for each object and each type of value,
// with all that sorts and maps the members, took two thirds of the time for this module. The attribute is how
// Swift's own library says that; there is none without an underscore.

/// The definition of an object: a row for each of its members.
public struct Shape<Whole: Sendable>: Sendable {
    typealias Writer = @Sendable (Whole, inout JSONText) -> Void
    typealias Encoder = @Sendable (Whole, inout KeyedEncodingContainer<MemberName>) throws -> Void

    /// The object's name in the OpenAPI document.
    public let name: String
    /// The object's description in the OpenAPI document, if it needs one.
    public let about: String?
    /// The members in the order of the OpenAPI document.
    public let members: [MemberShape]
    /// The writers of the members, in their order; without what else a member has, which would be copied with
    /// it.
    let writers: [Writer]
    /// The functions that give the members to an encoder.
    let encoders: [Encoder]
}

extension Shape {
    /// Creates a shape from its members.
    ///
    /// - Parameters:
    ///   - name: The object's name in the OpenAPI document.
    ///   - keys: The object's keys, by which it is read.
    ///   - about: Its description in the OpenAPI document, if it needs one.
    ///   - rows: A function that adds a row for each member, in the order of the OpenAPI document.
    @_semantics("optimize.sil.specialize.generic.never")
    public init<Key: CodingKey>(
        _ name: String,
        _ keys: Key.Type,
        about: String? = nil,
        rows: (inout ShapeRows<Whole, Key>) -> Void
    ) {
        var table = ShapeRows<Whole, Key>()
        rows(&table)
        self.init(
            name: name,
            about: about,
            members: table.rows.map(\.shape),
            writers: table.rows.sorted { $0.shape.name < $1.shape.name }.map(\.write),
            encoders: table.rows.map(\.encode)
        )
    }
}

/// The description of a member.
public struct MemberShape: Sendable {
    /// The member's name.
    public let name: String
    /// The schema of its value.
    public let schema: JSONSchema
    /// True if every object has this member.
    public let isRequired: Bool
}

/// The rows of a shape, each of which names a member once: its key, its value, its schema and its description.
public struct ShapeRows<Whole: Sendable, Key: CodingKey> {
    fileprivate var rows: [(shape: MemberShape, write: Shape<Whole>.Writer, encode: Shape<Whole>.Encoder)] =
        []

    /// Adds a member that is always present, and null if it has no value.
    ///
    /// - Parameters:
    ///   - key: The member's key.
    ///   - value: A function that gets its value from the object.
    ///   - schema: The schema of its value, if narrower than that of its type.
    ///   - about: Its description in the OpenAPI document.
    @_semantics("optimize.sil.specialize.generic.never")
    public mutating func member<Value: APIValue>(
        _ key: Key,
        _ value: @escaping @Sendable (Whole) -> Value,
        _ schema: JSONSchema = Value.schema,
        about: () -> String? = { nil }
    ) {
        let name = MemberName(stringValue: key.stringValue)
        let quoted = JSONText.quoted(key.stringValue)
        let write: Shape<Whole>.Writer = { whole, text in
            text.name(quoted: quoted)
            value(whole).write(to: &text)
        }
        add(name, schema, true, about(), write) { try $1.encode(value($0), forKey: name) }
    }

    /// Adds a member that is left out if it has no value; `isPromised` if this version always has one, although
    /// older ones may not.
    @_semantics("optimize.sil.specialize.generic.never")
    public mutating func member<Value: APIValue>(
        ifKnown key: Key,
        _ value: @escaping @Sendable (Whole) -> Value?,
        _ schema: JSONSchema = Value.schema,
        isPromised: Bool = false,
        about: () -> String? = { nil }
    ) {
        let name = MemberName(stringValue: key.stringValue)
        let quoted = JSONText.quoted(key.stringValue)
        let write: Shape<Whole>.Writer = { whole, text in
            guard let value = value(whole) else { return }
            text.name(quoted: quoted)
            value.write(to: &text)
        }
        add(name, schema, isPromised, about(), write) { try $1.encodeIfPresent(value($0), forKey: name) }
    }

    private mutating func add(
        _ name: MemberName,
        _ schema: JSONSchema,
        _ isRequired: Bool,
        _ about: String?,
        _ write: @escaping Shape<Whole>.Writer,
        _ encode: @escaping Shape<Whole>.Encoder
    ) {
        let shape = MemberShape(
            name: name.stringValue,
            schema: schema.described(about),
            isRequired: isRequired
        )
        rows.append((shape, write, encode))
    }
}

/// The name of a member, as an encoder needs it.
struct MemberName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
