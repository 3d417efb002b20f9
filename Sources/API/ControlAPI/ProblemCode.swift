/// A stable code for each thing that can go wrong on the control socket.
///
/// A ``ProblemJSON`` carries it as `code`. Programs should go by the code, never by the sentence that
/// comes with it.
public enum ProblemCode: String, CaseIterable, Sendable {
    /// 404: there is nothing at this path.
    case notFound = "not_found"
    /// 404: there is no job with this id.
    case noSuchJob = "no_such_job"
    /// 404: there is no batch with this id.
    case noSuchBatch = "no_such_batch"
    /// 404: the job's document is not a picture that can be read.
    case unreadable
    /// 404: there is no source of this name.
    case noSuchSource = "no_such_source"
    /// 409: there is a source of this name already.
    case nameTaken = "name_taken"
    /// 409: the recipe is of another list; `reset` says what is to become of the old one.
    case needsReset = "needs_reset"
    /// 422: the recipe can't be used; `errors` and the sentence say why.
    case badRecipe = "bad_recipe"
    /// 422: a page can't be read; `page_error` and the sentence say why.
    case unreadablePage = "unreadable_page"
    /// 403: this user may not have secrets sent anywhere.
    case secretNotAllowed = "secret_not_allowed"
    /// 405: the path exists, but not for this method; `Allow` lists the methods it has.
    case methodNotAllowed = "method_not_allowed"
    /// 400: the request is not HTTP, or is incomplete; the connection is closed.
    case malformedRequest = "malformed_request"
    /// 431: the request line or header fields are too long, or there are too many of them; the
    /// connection is closed.
    case headerTooLarge = "header_too_large"
    /// 400: the body is not JSON; the sentence says where.
    case malformedJSON = "malformed_json"
    /// 400: a query parameter or header field is invalid.
    case invalidParameter = "invalid_parameter"
    /// 422: the body is JSON, but not of the expected shape.
    case invalidRequest = "invalid_request"
    /// 422: some items of a batch are invalid, so the whole batch was refused; `errors` lists them.
    case invalidItems = "invalid_items"
    /// 422: an `Idempotency-Key` was reused with another body.
    case idempotencyKeyReused = "idempotency_key_reused"
    /// 413: the body is too large.
    case bodyTooLarge = "body_too_large"
    /// 415: the body's declared type is something other than JSON.
    case unsupportedMediaType = "unsupported_media_type"
    /// 403: the request comes from a web page.
    case forbiddenOrigin = "forbidden_origin"
    /// 403: the request is addressed to another host.
    case forbiddenHost = "forbidden_host"
    /// 403: this user may not use the daemon, or may only read.
    case notPermitted = "not_permitted"
    /// 409: the job's state does not allow this.
    case notPossible = "not_possible"
    /// 409: this job has no document yet.
    case notStored = "not_stored"
    /// 410: the document has been removed.
    case documentGone = "document_gone"
    /// 500: an internal error; the daemon's log says which.
    case internalError = "internal_error"
    /// 503: too many large requests are being read; `Retry-After` says when to try again.
    case busy
    /// 503: the daemon is stopping.
    case stopping
    /// 507: the store's disk is full.
    case outOfSpace = "out_of_space"

    /// The HTTP status for this code (RFC 9110 §15, RFC 6585 §5, RFC 4918 §11.5).
    public var status: Int {
        switch self {
        case .malformedRequest, .malformedJSON, .invalidParameter: 400
        case .forbiddenOrigin, .forbiddenHost, .notPermitted, .secretNotAllowed: 403
        case .notFound, .noSuchJob, .noSuchSource, .noSuchBatch, .unreadable: 404
        case .methodNotAllowed: 405
        case .notPossible, .notStored, .nameTaken, .needsReset: 409
        case .documentGone: 410
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .invalidRequest, .invalidItems, .idempotencyKeyReused, .badRecipe, .unreadablePage: 422
        case .headerTooLarge: 431
        case .internalError: 500
        case .busy, .stopping: 503
        case .outOfSpace: 507
        }
    }

    /// The status's reason phrase, used as the problem's `title`.
    public var title: String {
        switch status {
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
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
    /// Creates a problem from a code, which determines title and status.
    public init(
        _ code: ProblemCode,
        _ detail: String,
        errors: [ItemError]? = nil,
        pageError: SourceJSON.Failure? = nil
    ) {
        self.init(
            title: code.title,
            status: code.status,
            code: code.rawValue,
            detail: detail,
            errors: errors,
            pageError: pageError
        )
    }
}
