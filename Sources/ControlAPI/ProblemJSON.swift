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

    /// The members; `errors` is left out if the problem isn't about items, and `page_error` if it isn't
    /// about a page.
    public static let shape = Shape<ProblemJSON>(
        "Problem",
        about: "RFC 9457.",
        [
            Member(CodingKeys.type, \.type, .words(["about:blank"])),
            Member(CodingKeys.title, \.title),
            Member(CodingKeys.status, \.status),
            Member(CodingKeys.code, \.code, .words(ProblemCode.allCases.map(\.rawValue))),
            Member(CodingKeys.detail, \.detail),
            Member(ifKnown: CodingKeys.errors, \.errors),
            Member(
                ifKnown: CodingKeys.pageError,
                \.pageError,
                about: "Of unreadable_page: why a page of the source can't be read."
            ),
        ]
    )

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

        /// The members, which are always present.
        public static let shape = Shape<ItemError>(
            "ItemError",
            [
                Member(CodingKeys.index, \.index, .integer(from: 0)),
                Member(CodingKeys.field, \.field),
                Member(CodingKeys.reason, \.reason),
            ]
        )
    }
}
