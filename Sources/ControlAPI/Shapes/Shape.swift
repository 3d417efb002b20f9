// Whoever makes a shape does it once, and objects that are written by the million don't come here
// (ListedObject). So these initializers are compiled once: a copy of them for each object and each type of value,
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

    init(
        name: String,
        about: String?,
        members: [MemberShape],
        writers: [Writer],
        encoders: [Encoder]
    ) {
        self.name = name
        self.about = about
        self.members = members
        self.writers = writers
        self.encoders = encoders
    }

    /// Creates a shape from its members.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ name: String, about: String? = nil, _ members: [Member<Whole>]) {
        self.init(
            name: name,
            about: about,
            members: members.map(\.shape),
            writers: members.sorted { $0.shape.name < $1.shape.name }.map(\.write),
            encoders: members.map(\.encode)
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

/// A member of an object.
public struct Member<Whole: Sendable>: Sendable {
    let shape: MemberShape
    let write: Shape<Whole>.Writer
    let encode: Shape<Whole>.Encoder

    /// Creates a member that is always present, and null if it has no value.
    ///
    /// - Parameters:
    ///   - key: The member's name.
    ///   - value: A function that gets its value from the object.
    ///   - schema: The schema of its value, if narrower than that of its type.
    ///   - about: Its description in the OpenAPI document.
    @_semantics("optimize.sil.specialize.generic.never")
    public init<Value: APIValue>(
        _ key: some CodingKey,
        _ value: @escaping @Sendable (Whole) -> Value,
        _ schema: JSONSchema = Value.schema,
        about: String? = nil
    ) {
        let name = MemberName(stringValue: key.stringValue)
        let quoted = JSONText.quoted(key.stringValue)
        shape = MemberShape(name: key.stringValue, schema: schema.described(about), isRequired: true)
        write = { whole, text in
            text.name(quoted: quoted)
            value(whole).write(to: &text)
        }
        encode = { whole, values in try values.encode(value(whole), forKey: name) }
    }

    /// Creates a member that is left out if it has no value.
    ///
    /// - Parameters:
    ///   - key: The member's name.
    ///   - value: A function that gets its value from the object.
    ///   - schema: The schema of its value, if narrower than that of its type.
    ///   - isPromised: Whether this version always has a value, although older ones may not.
    ///   - about: Its description in the OpenAPI document.
    @_semantics("optimize.sil.specialize.generic.never")
    public init<Value: APIValue>(
        ifKnown key: some CodingKey,
        _ value: @escaping @Sendable (Whole) -> Value?,
        _ schema: JSONSchema = Value.schema,
        isPromised: Bool = false,
        about: String? = nil
    ) {
        let name = MemberName(stringValue: key.stringValue)
        let quoted = JSONText.quoted(key.stringValue)
        shape = MemberShape(name: key.stringValue, schema: schema.described(about), isRequired: isPromised)
        write = { whole, text in
            guard let value = value(whole) else { return }
            text.name(quoted: quoted)
            value.write(to: &text)
        }
        encode = { whole, values in try values.encodeIfPresent(value(whole), forKey: name) }
    }
}

/// The name of a member, as an encoder needs it.
struct MemberName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
