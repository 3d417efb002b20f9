import Vocabulary

/// A description of valid JSON values, as a JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1).
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
    /// The rules (keywords), each with its value as JSON.
    private(set) var rules: [(name: String, json: String)] = []

    private init(_ kind: Kind, _ rules: [(String, String?)] = []) {
        self.kind = kind
        self.rules = rules.compactMap { rule in rule.1.map { (rule.0, $0) } }
    }

    /// Returns the schema of integers within optional bounds.
    public static func integer(from least: Int64? = nil, to most: Int64? = nil) -> JSONSchema {
        JSONSchema(.type("integer"), [("minimum", least?.description), ("maximum", most?.description)])
    }

    /// The schema of the number of anything, from 0.
    public static var count: JSONSchema { integer(from: 0) }

    /// The schema of the id of a job, a batch or an event.
    public static var id: JSONSchema { integer(from: 1).format("int64") }

    /// Returns the schema of numbers with an optional lower bound.
    public static func number(from least: Int64? = nil) -> JSONSchema {
        JSONSchema(.type("number"), [("minimum", least?.description)])
    }

    /// Returns the schema of strings with optional bounds on their length in characters and an optional
    /// pattern (ECMA-262).
    public static func string(
        from least: Int? = nil,
        to most: Int? = nil,
        pattern: String? = nil
    ) -> JSONSchema {
        JSONSchema(
            .type("string"),
            [
                ("minLength", least?.description), ("maxLength", most?.description),
                ("pattern", pattern.map { JSONString.of($0) }),
            ]
        )
    }

    /// The schema of a time (RFC 3339).
    public static var time: JSONSchema { string().format("date-time") }

    /// The schema of a boolean.
    public static var boolean: JSONSchema { JSONSchema(.type("boolean")) }

    /// The schema of any object.
    public static var anyObject: JSONSchema { JSONSchema(.type("object")) }

    /// Returns the schema of strings from a list.
    public static func words(_ words: [String]) -> JSONSchema { JSONSchema(.words(words)) }

    /// Returns the schema of arrays with optional bounds on their length.
    public static func array(
        of element: JSONSchema,
        from least: Int? = nil,
        to most: Int? = nil
    ) -> JSONSchema {
        JSONSchema(.array(element), [("minItems", least?.description), ("maxItems", most?.description)])
    }

    /// Returns the schema of objects whose members, either the named ones or any, all have the same kind
    /// of value.
    public static func members(_ names: [String]?, _ value: JSONSchema) -> JSONSchema {
        JSONSchema(.members(names, value))
    }

    /// Returns a reference to a named object's schema.
    public static func object(_ type: any APIObject.Type) -> JSONSchema { JSONSchema(.object(type)) }

    /// The schema that also allows null.
    public var orNull: JSONSchema { changed { $0.isNullable = true } }

    /// Returns the schema with a named format.
    public func format(_ format: String) -> JSONSchema { rule("format", JSONString.of(format)) }

    /// Returns the schema with a default value, given as JSON.
    public func defaulting(to json: String) -> JSONSchema { rule("default", json) }

    /// Returns the schema with another rule, whose value is given as JSON.
    public func rule(_ name: String, _ json: String) -> JSONSchema {
        changed { $0.rules.append((name, json)) }
    }

    /// Returns the schema with a description, if one is given.
    public func described(_ about: String?) -> JSONSchema {
        guard let about else { return self }
        return rule("description", JSONString.of(about))
    }

    private func changed(_ change: (inout JSONSchema) -> Void) -> JSONSchema {
        var schema = self
        change(&schema)
        return schema
    }
}
