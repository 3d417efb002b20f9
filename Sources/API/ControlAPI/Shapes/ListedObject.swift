/// An object that is sent by the million, whose members are code instead of a list.
///
/// ``visit(_:)`` is the only table of its members: what writes them, `Encodable` and the schema in the OpenAPI
/// document are visitors of it. For each of them the compiler makes a function of its own, in which the writer never
/// sees a description. A row of a ``Shape`` is a closure, which gets a copy of what it writes, and takes three times
/// as long (`make bench ONLY=export,text`).
public protocol ListedObject: APIObject {
    /// Shows each member to a visitor, in alphabetical order.
    func visit(_ visitor: inout some MemberVisitor)
}

/// A visitor of an object's members, one after the other.
public protocol MemberVisitor {
    /// Visits a member, which is left out if it has no value; see ``member(_:_:_:about:)`` and
    /// ``member(ifKnown:_:_:isPromised:about:)``, by which objects show their members.
    mutating func visit<Value: APIValue>(
        _ name: StaticString,
        _ value: Value?,
        _ schema: @autoclosure () -> JSONSchema,
        isRequired: Bool,
        about: () -> String?
    )
}

extension MemberVisitor {
    /// Visits a member that is always present, and null if it has no value.
    ///
    /// - Parameters:
    ///   - name: The member's name, which needs no escapes in JSON.
    ///   - value: Its value.
    ///   - schema: The schema of its value, if narrower than that of its type.
    ///   - about: Its description in the OpenAPI document.
    @inline(__always)
    mutating func member<Value: APIValue>(
        _ name: StaticString,
        _ value: Value,
        _ schema: @autoclosure () -> JSONSchema = Value.schema,
        about: () -> String? = { nil }
    ) {
        visit(name, value, schema(), isRequired: true, about: about)
    }

    /// Visits a member that is left out if it has no value; `isPromised` if this version always has one, although
    /// older ones may not.
    @inline(__always)
    mutating func member<Value: APIValue>(
        ifKnown name: StaticString,
        _ value: Value?,
        _ schema: @autoclosure () -> JSONSchema = Value.schema,
        isPromised: Bool = false,
        about: () -> String? = { nil }
    ) {
        visit(name, value, schema(), isRequired: isPromised, about: about)
    }
}

extension ListedObject {
    /// Writes the members in alphabetical order.
    public func write(to text: inout JSONText) { text.object { visit(&$0) } }
}

extension JSONText: MemberVisitor {
    /// Writes a member, if it has a value.
    @inline(__always)
    public mutating func visit<Value: APIValue>(
        _ name: StaticString,
        _ value: Value?,
        _ schema: @autoclosure () -> JSONSchema,
        isRequired: Bool,
        about: () -> String?
    ) {
        guard let value else { return }
        self.name(name)
        value.write(to: &self)
    }
}

extension Shape where Whole: ListedObject {
    /// Creates the shape of an object that has a table of its members.
    ///
    /// - Parameters:
    ///   - name: The object's name in the OpenAPI document.
    ///   - about: Its description there, if it needs one.
    ///   - example: Any such object, whose values don't matter.
    ///   - order: The members' names in the order of the OpenAPI document.
    @_semantics("optimize.sil.specialize.generic.never")
    init(_ name: String, about: String? = nil, of example: Whole, in order: [some CodingKey]) {
        var description = MemberDescription()
        example.visit(&description)
        let places = Dictionary(uniqueKeysWithValues: zip(order.map(\.stringValue), order.indices))
        self.init(
            name: name,
            about: about,
            members: description.members.sorted { places[$0.name] ?? .max < places[$1.name] ?? .max },
            writers: [{ whole, text in whole.visit(&text) }],
            encoders: [
                { whole, values in
                    var encoding = MemberEncoding(values: values)
                    whole.visit(&encoding)
                    if let error = encoding.error { throw error }
                }
            ]
        )
    }
}

/// Describes members for the OpenAPI document.
private struct MemberDescription: MemberVisitor {
    var members: [MemberShape] = []

    mutating func visit<Value: APIValue>(
        _ name: StaticString,
        _ value: Value?,
        _ schema: @autoclosure () -> JSONSchema,
        isRequired: Bool,
        about: () -> String?
    ) {
        let schema = schema().described(about())
        members.append(MemberShape(name: "\(name)", schema: schema, isRequired: isRequired))
    }
}

/// Gives members to an encoder.
private struct MemberEncoding: MemberVisitor {
    var values: KeyedEncodingContainer<MemberName>
    var error: (any Error)?

    mutating func visit<Value: APIValue>(
        _ name: StaticString,
        _ value: Value?,
        _ schema: @autoclosure () -> JSONSchema,
        isRequired: Bool,
        about: () -> String?
    ) {
        guard error == nil else { return }
        do {
            try values.encodeIfPresent(value, forKey: MemberName(stringValue: "\(name)"))
        } catch {
            self.error = error
        }
    }
}
