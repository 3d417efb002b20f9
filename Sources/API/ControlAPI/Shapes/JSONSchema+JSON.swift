import Vocabulary

extension JSONSchema {
    /// The objects that this schema refers to by name.
    public var objects: [any APIObject.Type] {
        switch kind {
        case .type, .words: []
        case .array(let element): element.objects
        case .members(_, let value): value.objects
        case .object(let type): [type]
        }
    }

    /// The schema as JSON.
    public var json: String {
        let own: String
        switch kind {
        case .type(let type):
            own = isNullable ? "\"type\":[\"\(type)\",\"null\"]" : "\"type\":\"\(type)\""
        case .words(let words):
            own =
                "\"enum\":[\((words.map { JSONString.of($0) } + (isNullable ? ["null"] : [])).joined(separator: ","))]"
        case .array(let element):
            own =
                (isNullable ? "\"type\":[\"array\",\"null\"]" : "\"type\":\"array\"")
                + ",\"items\":\(element.json)"
        case .members(let names, let value):
            own =
                (isNullable ? "\"type\":[\"object\",\"null\"]," : "\"type\":\"object\",")
                + Self.members(names, value)
        case .object(let type):
            let reference = "\"$ref\":\(JSONString.of("#/components/schemas/\(Self.name(of: type))"))"
            own = isNullable ? "\"anyOf\":[{\"type\":\"null\"},{\(reference)}]" : reference
        }
        return "{\(([own] + rules.map { "\"\($0.name)\":\($0.json)" }).joined(separator: ","))}"
    }

    private static func members(_ names: [String]?, _ value: JSONSchema) -> String {
        guard let names else { return "\"additionalProperties\":\(value.json)" }
        let keys = names.map { JSONString.of($0) }
        return "\"required\":[\(keys.joined(separator: ","))],\"additionalProperties\":false,"
            + "\"properties\":{\(keys.map { "\($0):\(value.json)" }.joined(separator: ","))}"
    }

    private static func name<Whole: APIObject>(of type: Whole.Type) -> String { type.shape.name }
}

extension Shape {
    /// The objects that the members refer to by name.
    public var objects: [any APIObject.Type] { members.flatMap(\.schema.objects) }

    /// The object's schema as JSON.
    public var json: String {
        let about = about.map { ",\"description\":\(JSONString.of($0))" } ?? ""
        let required = members.filter(\.isRequired).map { JSONString.of($0.name) }
        let properties = members.map { "\(JSONString.of($0.name)):\($0.schema.json)" }
        return "{\"type\":\"object\"\(about),\"required\":[\(required.joined(separator: ","))],"
            + "\"additionalProperties\":false,\"properties\":{\(properties.joined(separator: ","))}}"
    }
}
