/// An error, as RFC 9457 describes it, with a stable code.
public struct ProblemJSON: Codable, Hashable, Sendable, Error {
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

    /// What is wrong with one item.
    public struct ItemError: Codable, Hashable, Sendable {
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
    }
}
