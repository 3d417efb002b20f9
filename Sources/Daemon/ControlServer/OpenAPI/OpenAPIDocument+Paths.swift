import ControlAPI
import Vocabulary

extension OpenAPIDocument {
    /// The paths with their operations, from the rows of ``Endpoint``.
    static var paths: String {
        var order: [String] = []
        var operations: [String: [String]] = [:]
        for endpoint in Endpoint.all {
            let path = endpoint.path.text
            if operations[path] == nil { order.append(path) }
            let method = endpoint.method.rawValue.lowercased()
            operations[path, default: []].append("\(JSONString.of(method)):\(operation(endpoint))")
        }
        return order.map { path in
            "\(JSONString.of(path)):{\n\(operations[path, default: []].joined(separator: ",\n"))}"
        }.joined(separator: ",\n")
    }

    private static func operation(_ endpoint: Endpoint) -> String {
        var parts = [
            "\"operationId\":\(JSONString.of(endpoint.id))",
            "\"summary\":\(JSONString.of(endpoint.summary))",
        ]
        let inPath = (endpoint.path.hasID ? [id] : []) + (endpoint.path.hasName ? [name] : [])
        let parameters = inPath + endpoint.parameters.map(parameter)
        if !parameters.isEmpty { parts.append("\"parameters\":[\(parameters.joined(separator: ","))]") }
        if let body = endpoint.body {
            let contents = body.types.map { "\(JSONString.of($0)):{\"schema\":\(body.schema.json)}" }
            let content = "{\(contents.joined(separator: ","))}"
            parts.append("\"requestBody\":{\"required\":\(body.isRequired),\"content\":\(content)}")
        }
        let answer = endpoint.answer
        let content = "{\(JSONString.of(answer.type)):{\"schema\":\(answer.schema.json)}}"
        let answers =
            ["\"\(answer.status)\":{\"description\":\"As asked.\",\"content\":\(content)}"]
            + (answer.unmade.map { schema in
                [
                    "\"200\":{\"description\":\"Nothing was new.\",\"content\":"
                        + "{\(JSONString.of(answer.type)):{\"schema\":\(schema.json)}}}"
                ]
            } ?? [])
            + (answer.canBeUnchanged ? ["\"304\":{\"description\":\"As it was under this ETag.\"}"] : [])
            + endpoint.problemStatuses.map { "\"\($0)\":{\"$ref\":\"#/components/responses/\($0)\"}" }
        parts.append("\"responses\":{\(answers.joined(separator: ","))}")
        return "{\(parts.joined(separator: ","))}"
    }

    private static func parameter(_ parameter: any ReadParameter) -> String {
        """
        {"name":\(JSONString.of(parameter.name)),"in":\(JSONString.of(parameter.place.word)),\
        \(parameter.isRequired ? "\"required\":true," : "")\
        "schema":\(parameter.schema.json),"description":\(JSONString.of(parameter.meaning))}
        """
    }

    private static let name =
        "{\"name\":\"name\",\"in\":\"path\",\"required\":true,"
        + "\"schema\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$\"}}"

    private static let id =
        "{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":\(JSONSchema.id.json)}"
}
