import ControlAPI
import HTTPServer
import HTTPTypes

/// The decision about a request before its body is read.
struct Admission {
    /// The route that the request asks for.
    let route: Route
    /// True if only the answer's head is wanted, as for a HEAD.
    let headOnly: Bool

    /// Decides about a request by its head.
    init(_ request: Request, maximumBodySize: Int) throws(Refusal) {
        // A web page can make a browser send requests, but not without an Origin, nor, by rebinding a
        // name, with the right Host.
        guard request.headers[.origin] == nil else {
            throw Refusal(ProblemJSON(.forbiddenOrigin, "web pages may not use the control socket"))
        }
        guard Self.isLocal(request.head.authority) else {
            throw Refusal(
                ProblemJSON(
                    .forbiddenHost,
                    "the Host must be localhost; use http://localhost/v1/… over the socket"
                )
            )
        }
        let routes = Route.all(at: request.path)
        guard !routes.isEmpty else {
            throw Refusal(
                ProblemJSON(
                    .notFound,
                    "there is nothing at \(request.path.quoted); GET /v1/openapi.json lists what there is"
                )
            )
        }
        let method = request.method
        if let route = routes.first(where: { $0.endpoint.method == method }) {
            self.route = route
            self.headOnly = false
        } else if method == .head, let route = routes.first(where: \.endpoint.answersHead) {
            self.route = route
            self.headOnly = true
        } else {
            let allowed = routes.map(\.endpoint.method.rawValue).sorted().joined(separator: ", ")
            throw Refusal(
                ProblemJSON(.methodNotAllowed, "this path takes \(allowed), not \(method.rawValue.quoted)"),
                fields: [.allow: allowed]
            )
        }
        if let length = request.announcedLength, length > maximumBodySize {
            throw Refusal(.bodyTooLarge(maximumBodySize, isInParts: route.endpoint.body?.isLarge ?? false))
        }
        if let body = route.endpoint.body, let type = request.headers[.contentType],
            !Self.isOne(type, of: body.types)
        {
            let types = body.types.joined(separator: " or ")
            throw Refusal(
                ProblemJSON(.unsupportedMediaType, "the body must be \(types), not \(type.quoted)")
            )
        }
    }

    /// A problem, with header fields to send with it.
    struct Refusal: Error {
        let problem: ProblemJSON
        var fields: HTTPFields = [:]

        init(_ problem: ProblemJSON, fields: HTTPFields = [:]) {
            self.problem = problem
            self.fields = fields
        }
    }

    private static func isLocal(_ authority: String?) -> Bool {
        // HTTP/1.0 has no Host, and an empty one is allowed (RFC 9112 §3.2). Otherwise HostHandler
        // ensures that there is one.
        guard let authority, !authority.isEmpty else { return true }
        let parts = authority.lowercased().split(
            separator: ":",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts[0] == "localhost" else { return false }
        return parts.count == 1
            || parts[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isOne(_ type: String, of types: [String]) -> Bool {
        let essence = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return types.contains(essence)
            // The default of curl -d.
            || essence == "application/x-www-form-urlencoded"
    }
}

extension ProblemJSON {
    /// Returns the problem that the body is larger than a limit in bytes; `isInParts` says that what was in it
    /// can be posted in several batches.
    static func bodyTooLarge(_ limit: Int, isInParts: Bool) -> ProblemJSON {
        let advice = isInParts ? "; post in several batches" : ""
        return ProblemJSON(.bodyTooLarge, "the body is larger than \(limit) bytes\(advice)")
    }
}
