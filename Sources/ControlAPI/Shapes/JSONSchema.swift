/// What may stand somewhere in a JSON text, as JSON Schema (draft 2020-12, which OpenAPI 3.1 goes by) says it.
public struct JSONSchema: Sendable {
    indirect enum Kind: Sendable {
        case type(String)
        case words([String])
        case array(JSONSchema)
        case members([String]?, JSONSchema)
        case object(any APIObject.Type)
    }

    let kind: Kind
    private(set) var isNullable = false
    /// Names of rules, each with its value as JSON.
    private(set) var rules: [(name: String, json: String)] = []

    private init(_ kind: Kind, _ rules: [(String, String?)] = []) {
        self.kind = kind
        self.rules = rules.compactMap { rule in rule.1.map { (rule.0, $0) } }
    }

    /// Integers, within limits where there are any.
    public static func integer(from least: Int64? = nil, to most: Int64? = nil) -> JSONSchema {
        JSONSchema(.type("integer"), [("minimum", least?.description), ("maximum", most?.description)])
    }

    /// An id of a job, a batch or an event.
    public static var id: JSONSchema { integer(from: 1).format("int64") }

    /// Numbers, within limits where there are any.
    public static func number(from least: Int64? = nil) -> JSONSchema {
        JSONSchema(.type("number"), [("minimum", least?.description)])
    }

    /// Texts, of so many characters, of this pattern (ECMA-262).
    public static func string(
        from least: Int? = nil,
        to most: Int? = nil,
        pattern: String? = nil
    ) -> JSONSchema {
        JSONSchema(
            .type("string"),
            [
                ("minLength", least?.description), ("maxLength", most?.description),
                ("pattern", pattern.map(JSONText.string)),
            ]
        )
    }

    /// A moment (RFC 3339).
    public static var time: JSONSchema { string().format("date-time") }

    /// True or false.
    public static var boolean: JSONSchema { JSONSchema(.type("boolean")) }

    /// Any object.
    public static var anyObject: JSONSchema { JSONSchema(.type("object")) }

    /// One of these words.
    public static func words(_ words: [String]) -> JSONSchema { JSONSchema(.words(words)) }

    /// So many of these.
    public static func array(
        of element: JSONSchema,
        from least: Int? = nil,
        to most: Int? = nil
    ) -> JSONSchema {
        JSONSchema(.array(element), [("minItems", least?.description), ("maxItems", most?.description)])
    }

    /// An object with these members, or any where there is no list, all of one kind.
    public static func members(_ names: [String]?, _ value: JSONSchema) -> JSONSchema {
        JSONSchema(.members(names, value))
    }

    /// An object of a shape that has a name.
    public static func object(_ type: any APIObject.Type) -> JSONSchema { JSONSchema(.object(type)) }

    /// This, or null.
    public var orNull: JSONSchema { changed { $0.isNullable = true } }

    /// This in a format that has a name.
    public func format(_ format: String) -> JSONSchema { rule("format", JSONText.string(format)) }

    /// This with a default.
    public func defaulting(to json: String) -> JSONSchema { rule("default", json) }

    /// This with one more rule, whose value is given as JSON.
    public func rule(_ name: String, _ json: String) -> JSONSchema {
        changed { $0.rules.append((name, json)) }
    }

    /// This with a sentence about it, where there is one.
    public func described(_ about: String?) -> JSONSchema {
        guard let about else { return self }
        return rule("description", JSONText.string(about))
    }

    private func changed(_ change: (inout JSONSchema) -> Void) -> JSONSchema {
        var schema = self
        change(&schema)
        return schema
    }
}
