/// An error, as RFC 9457 describes it, with a stable code.
public struct ProblemJSON: APIObject, Error {
    /// `about:blank`: the code says what kind it is.
    public var type: String
    /// The status code's own words.
    public var title: String
    /// The status code.
    public var status: Int
    /// The stable name of what went wrong, for programs.
    public var code: String
    /// One sentence for people.
    public var detail: String
    /// What is wrong with each refused item of a batch.
    public var errors: [ItemError]?

    /// A problem.
    public init(
        title: String,
        status: Int,
        code: String,
        detail: String,
        errors: [ItemError]? = nil
    ) {
        self.type = "about:blank"
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
    }

    /// The items are left out where it isn't about them.
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
        ]
    )

    /// What is wrong with one item.
    public struct ItemError: APIObject {
        /// The item's place in `items`, from 0.
        public var index: Int
        /// The field that is wrong.
        public var field: String
        /// One sentence for people.
        public var reason: String

        /// What is wrong with one item.
        public init(index: Int, field: String, reason: String) {
            self.index = index
            self.field = field
            self.reason = reason
        }

        /// Every key is always there.
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
