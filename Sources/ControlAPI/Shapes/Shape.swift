/// What is in an object: a row for each of its members.
public struct Shape<Whole: Sendable>: Sendable {
    /// What the OpenAPI document calls it.
    public let name: String
    /// What it is, where the document says more than its name.
    public let about: String?
    /// The members, in the order of the document.
    public let members: [Member<Whole>]
    /// The members in the order in which they are written.
    let sorted: [Member<Whole>]

    /// A shape by its members.
    public init(_ name: String, about: String? = nil, _ members: [Member<Whole>]) {
        self.name = name
        self.about = about
        self.members = members
        sorted = members.sorted { $0.name < $1.name }
    }
}

/// One member of an object.
public struct Member<Whole: Sendable>: Sendable {
    /// Its name.
    public let name: String
    /// What may be its value.
    public let schema: JSONSchema
    /// True where an object always has it.
    public let isRequired: Bool
    let write: @Sendable (Whole, inout JSONText) -> Void
    let encode: @Sendable (Whole, inout KeyedEncodingContainer<MemberName>) throws -> Void

    /// A member that is always there; null where there is no value.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - value: Where its value is.
    ///   - schema: What may stand there, where that is less than the type allows.
    ///   - about: What the document says of it.
    public init<Value: APIValue>(
        _ key: some CodingKey,
        _ value: @escaping @Sendable (Whole) -> Value,
        _ schema: JSONSchema = Value.schema,
        about: String? = nil
    ) {
        let name = MemberName(stringValue: key.stringValue)
        let quoted = JSONText.quoted(key.stringValue)
        self.name = key.stringValue
        self.schema = schema.described(about)
        isRequired = true
        write = { whole, text in
            text.name(quoted: quoted)
            value(whole).write(to: &text)
        }
        encode = { whole, values in try values.encode(value(whole), forKey: name) }
    }

    /// A member that is left out where there is no value.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - value: Where its value is.
    ///   - schema: What may stand there, where that is less than the type allows.
    ///   - isPromised: True where this version always has a value; older ones may have none.
    ///   - about: What the document says of it.
    public init<Value: APIValue>(
        ifKnown key: some CodingKey,
        _ value: @escaping @Sendable (Whole) -> Value?,
        _ schema: JSONSchema = Value.schema,
        isPromised: Bool = false,
        about: String? = nil
    ) {
        let name = MemberName(stringValue: key.stringValue)
        let quoted = JSONText.quoted(key.stringValue)
        self.name = key.stringValue
        self.schema = schema.described(about)
        isRequired = isPromised
        write = { whole, text in
            guard let value = value(whole) else { return }
            text.name(quoted: quoted)
            value.write(to: &text)
        }
        encode = { whole, values in try values.encodeIfPresent(value(whole), forKey: name) }
    }
}

/// The name of a member, for an encoder.
struct MemberName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
