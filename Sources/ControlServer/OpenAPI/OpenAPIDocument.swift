import ControlAPI
import JobCore

/// The description of the control socket (OpenAPI 3.1), as `GET /v1/openapi.json` serves it.
///
/// It is put together from JSON text; what the code knows (states, codes,
/// limits) is taken from there, and tests hold it against the routes.
enum OpenAPIDocument {
    /// The whole document.
    static func text(version: String) -> String {
        """
        {"openapi":"3.1.0","info":{"title":"facefetch control socket","version":\(quoted(version)),
        "description":"Versioned HTTP/1.1 and JSON over a unix socket. Requests with an Origin, or a Host other than localhost, are refused (403); so are those of HTTP/1.1 without a Host, and those with more than one (400, and the connection ends)."},
        "servers":[{"url":"http://localhost"}],
        "paths":{\(paths)},
        "components":{"schemas":{\(components)},"responses":{\(problems)}}}
        """
    }

    /// A text as JSON has it; only for texts of our own.
    static func quoted(_ text: String) -> String {
        "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }

    /// Names as a JSON array.
    static func list(_ names: [String]) -> String { "[" + names.map(quoted).joined(separator: ",") + "]" }

    /// A reference to a schema.
    static func schema(_ name: String) -> String { "{\"$ref\":\"#/components/schemas/\(name)\"}" }

    private static var components: String {
        [requestSchemas, jobSchemas, eventSchemas, statusSchemas].joined(separator: ",\n")
    }

    /// A response for each status that a problem can have, with its codes.
    private static var problems: String {
        Set(ProblemCode.allCases.map(\.status)).sorted().map { status in
            let codes = ProblemCode.allCases.filter { $0.status == status }
            return """
                "\(status)":{"description":\(quoted(codes.map(\.rawValue).joined(separator: ", "))),
                "content":{"application/problem+json":{"schema":\(schema("Problem"))}}}
                """
        }.joined(separator: ",\n")
    }
}
