import ControlAPI
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer that is whole before it is sent.
struct Reply: Sendable {
    /// The status code and its words.
    var status: HTTPResponse.Status
    /// The header fields, but for the length.
    var fields: HTTPFields
    /// The body.
    var body: ByteBuffer

    /// A value as JSON.
    static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json",
        fields: HTTPFields = [:]
    ) throws -> Reply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        var fields = fields
        fields[.contentType] = type
        fields[.cacheControl] = "no-store"
        return Reply(status: status, fields: fields, body: ByteBuffer(bytes: try encoder.encode(value)))
    }

    /// A problem document (RFC 9457).
    static func problem(_ problem: ProblemJSON, fields: HTTPFields = [:]) -> Reply {
        let status = HTTPResponse.Status(code: problem.status, reasonPhrase: problem.title)
        if let errors = problem.errors {
            var fields = fields
            fields[.contentType] = "application/problem+json"
            fields[.cacheControl] = "no-store"
            return Reply(status: status, fields: fields, body: ProblemText.encode(problem, errors))
        }
        let reply = try? json(problem, status: status, type: "application/problem+json", fields: fields)
        // Strings and integers can always be encoded; an empty answer would still carry the status.
        return reply ?? Reply(status: status, fields: fields, body: ByteBuffer())
    }

    /// Text that is ready as it is.
    static func text(_ text: String, type: String) -> Reply { .text(ByteBuffer(string: text), type: type) }

    /// Text that is ready as it is.
    static func text(_ text: ByteBuffer, type: String) -> Reply {
        Reply(status: .ok, fields: [.contentType: type, .cacheControl: "no-store"], body: text)
    }

    /// The response, with the body left out for a HEAD.
    func response(headOnly: Bool) -> Response {
        let response = Response(status: status, headers: fields, body: .init(byteBuffer: body))
        return headOnly ? response.createHeadResponse() : response
    }
}
