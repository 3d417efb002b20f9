/// A problem document (RFC 9457) with a stable code.
public struct ProblemJSON: APIObject, Error {
    /// The problem type, always `about:blank`; the code identifies the problem.
    public var type: String
    /// The reason phrase of the status.
    public var title: String
    /// The HTTP status.
    public var status: Int
    /// The machine-readable code, one of ``ProblemCode``.
    public var code: String
    /// A sentence for people.
    public var detail: String
    /// The errors of a batch's invalid items, or of a recipe, which counts as one item.
    public var errors: [ItemError]?
    /// The reason why a page of a source can't be read, with a code of its own, as in the source's `last_error`.
    public var pageError: SourceJSON.Failure?

    enum CodingKeys: String, CodingKey {
        case type, title, status, code, detail, errors
        case pageError = "page_error"
    }

    public init(
        title: String,
        status: Int,
        code: String,
        detail: String,
        errors: [ItemError]? = nil,
        pageError: SourceJSON.Failure? = nil
    ) {
        self.type = "about:blank"
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
        self.pageError = pageError
    }

    public static let shape = Shape<ProblemJSON>("Problem", CodingKeys.self, about: "RFC 9457.") {
        $0.member(.type, \.type, .words(["about:blank"]))
        $0.member(.title, \.title)
        $0.member(.status, \.status)
        $0.member(.code, \.code, .words(ProblemCode.allCases.map(\.rawValue)))
        $0.member(.detail, \.detail)
        $0.member(ifKnown: .errors, \.errors)
        $0.member(ifKnown: .pageError, \.pageError) {
            "Of unreadable_page: why a page of the source can't be read."
        }
    }

    /// An error in one item of a batch, or in a recipe.
    public struct ItemError: APIObject {
        /// The item's index in `items`, from 0.
        public var index: Int
        /// The invalid field, such as `url` or `job.name`; empty for the whole.
        public var field: String
        /// A sentence for people.
        public var reason: String

        /// An error in one field.
        public init(index: Int, field: String, reason: String) {
            self.index = index
            self.field = field
            self.reason = reason
        }

        public static let shape = Shape<ItemError>("ItemError", CodingKeys.self) {
            $0.member(.index, \.index, .count)
            $0.member(.field, \.field)
            $0.member(.reason, \.reason)
        }
    }
}
