import ControlAPI
import Vocabulary

/// The OpenAPI 3.1 description of the control socket, served as `GET /v1/openapi.json`.
///
/// It is generated from the definitions that the server itself uses: the rows of ``Endpoint`` and the
/// shapes of the API's objects.
public enum OpenAPIDocument {
    /// Returns the complete document.
    public static func text(version: String) -> String {
        """
        {"openapi":"3.1.0","info":{"title":"facefetch control socket","version":\(JSONString.of(version)),
        "description":"Versioned HTTP/1.1 and JSON over a unix socket. Requests with an Origin, or a Host other than localhost, are refused (403); so are those of HTTP/1.1 without a Host, and those with more than one (400, and the connection ends). Queries are in form encoding, as browsers and curl --data-urlencode write them: a + is a space, and a plus sign is %2B."},
        "servers":[{"url":"http://localhost"}],
        "paths":{\(paths)},
        "components":{"schemas":{\(schemas)},"responses":{\(problems)}}}
        """
    }

    /// The schemas of all objects that endpoints take or return, and of the objects in them.
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
            .map { "\(JSONString.of($0.key)):\($0.value)" }
            .joined(separator: ",\n")
    }

    /// The responses for each status of a problem, with its codes.
    private static var problems: String {
        Set(ProblemCode.allCases.map(\.status)).sorted().map { status in
            let codes = ProblemCode.allCases.filter { $0.status == status }
            return """
                "\(status)":{"description":\(JSONString.of(codes.map(\.rawValue).joined(separator: ", "))),
                "content":{"application/problem+json":{"schema":\(ProblemJSON.schema.json)}}}
                """
        }.joined(separator: ",\n")
    }
}
