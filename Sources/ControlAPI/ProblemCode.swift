/// The stable names of everything that can go wrong on the control socket.
///
/// A ``ProblemJSON`` carries one of them in `code`; programs go by it, never
/// by the sentence beside it.
public enum ProblemCode: String, CaseIterable, Sendable {
    /// 404: there is nothing at this path.
    case notFound = "not_found"
    /// 404: there is no job of this id.
    case noSuchJob = "no_such_job"
    /// 404: there is no batch of this id.
    case noSuchBatch = "no_such_batch"
    /// 405: the path exists, but not for this method; `Allow` lists those it has.
    case methodNotAllowed = "method_not_allowed"
    /// 400: this is not HTTP, or ends in the middle; the connection is closed.
    case malformedRequest = "malformed_request"
    /// 431: the request line or the header fields are too long, or too many; the connection is closed.
    case headerTooLarge = "header_too_large"
    /// 400: the body is not JSON; the sentence says where.
    case malformedJSON = "malformed_json"
    /// 400: a query parameter or header field has no sense.
    case invalidParameter = "invalid_parameter"
    /// 422: the body is JSON, but not of the shape that was asked for.
    case invalidRequest = "invalid_request"
    /// 422: some items of a batch are wrong, and so none was taken; `errors` lists them.
    case invalidItems = "invalid_items"
    /// 422: an `Idempotency-Key` came back with another body.
    case idempotencyKeyReused = "idempotency_key_reused"
    /// 413: the body is larger than allowed.
    case bodyTooLarge = "body_too_large"
    /// 415: the body is said to be something else than JSON.
    case unsupportedMediaType = "unsupported_media_type"
    /// 403: the request comes from a web page.
    case forbiddenOrigin = "forbidden_origin"
    /// 403: the request is meant for another host.
    case forbiddenHost = "forbidden_host"
    /// 403: this user may not use the daemon, or only look.
    case notPermitted = "not_permitted"
    /// 409: the job's state does not allow it.
    case notPossible = "not_possible"
    /// 500: something broke; the daemon's log says what.
    case internalError = "internal_error"
    /// 503: too many large posts are under way; `Retry-After` says when to try again.
    case busy
    /// 503: the daemon is stopping.
    case stopping
    /// 507: the disk under the store is full.
    case outOfSpace = "out_of_space"

    /// The HTTP status that goes with it (RFC 9110 §15, RFC 6585 §5, RFC 4918 §11.5).
    public var status: Int {
        switch self {
        case .malformedRequest, .malformedJSON, .invalidParameter: 400
        case .forbiddenOrigin, .forbiddenHost, .notPermitted: 403
        case .notFound, .noSuchJob, .noSuchBatch: 404
        case .methodNotAllowed: 405
        case .notPossible: 409
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .invalidRequest, .invalidItems, .idempotencyKeyReused: 422
        case .headerTooLarge: 431
        case .internalError: 500
        case .busy, .stopping: 503
        case .outOfSpace: 507
        }
    }

    /// The status in words, as a problem's `title`.
    public var title: String {
        switch status {
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Internal Server Error"
        }
    }
}

extension ProblemJSON {
    /// A problem by its code; title and status go with it.
    public init(_ code: ProblemCode, _ detail: String, errors: [ItemError]? = nil) {
        self.init(
            title: code.title,
            status: code.status,
            code: code.rawValue,
            detail: detail,
            errors: errors
        )
    }
}
