import ControlAPI
import HTTPServer
import HTTPTypes
import NIOCore

/// An answer that is complete before it is sent.
struct Reply: Sendable {
    /// The status code with its reason phrase.
    var status: HTTPResponse.Status
    /// The header fields, except for the length.
    var fields: HTTPFields
    /// The body.
    var body: ByteBuffer

    /// Returns an answer with a JSON object.
    static func json(
        _ value: some APIObject,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json",
        fields: HTTPFields = [:]
    ) -> Reply {
        json(text: value.json, status: status, type: type, fields: fields)
    }

    /// Returns an answer with a JSON object that is written already.
    static func json(
        text: [UInt8],
        status: HTTPResponse.Status = .ok,
        type: String = "application/json",
        fields: HTTPFields = [:]
    ) -> Reply {
        var fields = fields
        fields[.contentType] = type
        fields[.cacheControl] = "no-store"
        return Reply(status: status, fields: fields, body: ByteBuffer(bytes: text))
    }

    /// Returns an answer with a problem document (RFC 9457).
    static func problem(_ problem: ProblemJSON, fields: HTTPFields = [:]) -> Reply {
        let status = HTTPResponse.Status(code: problem.status, reasonPhrase: problem.title)
        return json(problem, status: status, type: "application/problem+json", fields: fields)
    }

    /// Returns an answer with a given text.
    static func text(_ text: String, type: String) -> Reply {
        let fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        return Reply(status: .ok, fields: fields, body: ByteBuffer(string: text))
    }

    /// The head of the response.
    var head: HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        return head
    }
}

extension ResponseWriter {
    /// Writes a reply, without its body for a HEAD.
    consuming func write(_ reply: Reply, headOnly: Bool = false) async throws {
        try await write(reply.head, body: headOnly ? nil : reply.body)
    }
}
