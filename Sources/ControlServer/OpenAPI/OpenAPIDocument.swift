import ControlAPI

/// The description of the control socket (OpenAPI 3.1), as `GET /v1/openapi.json` serves it.
///
/// All of it comes from what the server itself goes by: the rows of ``Endpoint``, and the shapes of
/// what goes over the socket.
enum OpenAPIDocument {
    /// The whole document.
    static func text(version: String) -> String {
        """
        {"openapi":"3.1.0","info":{"title":"facefetch control socket","version":\(JSONText.string(version)),
        "description":"Versioned HTTP/1.1 and JSON over a unix socket. Requests with an Origin, or a Host other than localhost, are refused (403); so are those of HTTP/1.1 without a Host, and those with more than one (400, and the connection ends)."},
        "servers":[{"url":"http://localhost"}],
        "paths":{\(paths)},
        "components":{"schemas":{\(schemas)},"responses":{\(problems)}}}
        """
    }

    /// The schemas of all shapes that an endpoint takes or gives, and of those in them.
    private static var schemas: String {
        var found: [String: String] = [:]
        func add(_ type: (some APIObject).Type) {
            guard found[type.shape.name] == nil else { return }
            found[type.shape.name] = type.shape.json
            for inner in type.shape.objects { add(inner) }
        }
        for endpoint in Endpoint.all {
            let objects =
                endpoint.answer.schema.objects + endpoint.answer.objects
                + (endpoint.body?.schema.objects ?? [])
            for object in objects { add(object) }
        }
        add(ProblemJSON.self)
        return found.sorted { $0.key < $1.key }
            .map { "\(JSONText.string($0.key)):\($0.value)" }
            .joined(separator: ",\n")
    }

    /// A response for each status that a problem can have, with its codes.
    private static var problems: String {
        Set(ProblemCode.allCases.map(\.status)).sorted().map { status in
            let codes = ProblemCode.allCases.filter { $0.status == status }
            return """
                "\(status)":{"description":\(JSONText.string(codes.map(\.rawValue).joined(separator: ", "))),
                "content":{"application/problem+json":{"schema":\(ProblemJSON.schema.json)}}}
                """
        }.joined(separator: ",\n")
    }
}
