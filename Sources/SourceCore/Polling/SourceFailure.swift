/// Why a page couldn't be read.
public struct SourceFailure: Error, Hashable, Sendable {
    /// The stable codes.
    public enum Code: String, CaseIterable, Hashable, Sendable, Codable {
        /// The page isn't of the recipe's kind: HTML instead of JSON, say.
        case unexpectedType = "unexpected_type"
        /// The page is of another shape than the recipe says.
        case unexpectedShape = "unexpected_shape"
        /// The server answered with a status that isn't for pages.
        case unexpectedStatus = "unexpected_status"
        /// The server refuses whoever asks.
        case unauthorized
        /// The page is larger than the recipe allows.
        case tooLarge = "too_large"
        /// A secret isn't there.
        case noSecret = "no_secret"
        /// Pages come again and again without anything new.
        case noProgress = "no_progress"
        /// The process that reads pages died of this one.
        case readerCrashed = "reader_crashed"
        /// The process that reads pages took too long.
        case readerTimedOut = "reader_timed_out"
        /// The server can't be reached.
        case connection
    }

    /// What kind of failure it is.
    public var code: Code
    /// One sentence, without a full stop, that says what happened and what to do.
    public var message: String
    /// The server's status, where it answered.
    public var status: Int?
    /// What the page began with, where that helps.
    public var excerpt: String?

    /// A failure.
    public init(_ code: Code, _ message: String, status: Int? = nil, excerpt: String? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.excerpt = excerpt
    }

    /// The failure that a status is; nil for those that bring a page, or say that it hasn't changed.
    ///
    /// - Parameter wasConditional: whether the request had a condition; a 304 to none is an error.
    public init?(status: Int, wasConditional: Bool) {
        switch status {
        case 200, 203: return nil
        case 304 where wasConditional: return nil
        case 304:
            self.init(
                .unexpectedStatus,
                "the server says that nothing has changed, and wasn't asked that",
                status: status
            )
        case 401, 403:
            self.init(
                .unauthorized,
                "the server refuses this request with status \(status); check the source's key",
                status: status
            )
        case 404:
            self.init(
                .unexpectedStatus,
                "there is no such page (404); check the source's url",
                status: status
            )
        case 410:
            self.init(.unexpectedStatus, "the page is gone for good (410)", status: status)
        case 429:
            self.init(.unexpectedStatus, "the server says that it is asked too often (429)", status: status)
        case 500...599:
            self.init(.unexpectedStatus, "the server has an error of its own (\(status))", status: status)
        default:
            self.init(.unexpectedStatus, "the server answered with status \(status)", status: status)
        }
    }
}
