/// The reason why a page could not be read.
public struct SourceFailure: Error, Hashable, Sendable, Codable {
    /// The stable, machine-readable codes.
    public enum Code: String, CaseIterable, Hashable, Sendable, Codable {
        /// The page isn't of the recipe's kind, for example HTML instead of JSON.
        case unexpectedType = "unexpected_type"
        /// The page doesn't have the shape that the recipe describes.
        case unexpectedShape = "unexpected_shape"
        /// The server answered with an unexpected status.
        case unexpectedStatus = "unexpected_status"
        /// The server refuses access.
        case unauthorized
        /// The server answers no more requests for now.
        case rateLimited = "rate_limited"
        /// The page is larger than the recipe allows.
        case tooLarge = "too_large"
        /// Reading the page takes more memory than there is for it.
        case tooMuchMemory = "too_much_memory"
        /// A secret is missing.
        case noSecret = "no_secret"
        /// Pages keep repeating without anything new.
        case noProgress = "no_progress"
        /// The process that reads pages crashed on this one.
        case readerCrashed = "reader_crashed"
        /// The process that reads pages took too long.
        case readerTimedOut = "reader_timed_out"
        /// The server can't be reached.
        case connection
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence without a full stop that says what happened and what to do.
    public var message: String
    /// The server's status, if it answered.
    public var status: Int?
    /// The beginning of the page, if that helps.
    public var excerpt: String?

    public init(_ code: Code, _ message: String, status: Int? = nil, excerpt: String? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.excerpt = excerpt
    }

    /// Creates the failure for a server that answers no more requests for now.
    public init(rateLimitOf status: Int) {
        self.init(
            .rateLimited,
            "the server answers no more requests for now (\(status), and it says that none are left)",
            status: status
        )
    }

    /// Creates the failure for a status; nil for those that bring a page or say that it hasn't changed.
    ///
    /// - Parameter wasConditional: True if the request had a condition; without one, a 304 is an error.
    public init?(status: Int, wasConditional: Bool) {
        switch status {
        case 200, 203: return nil
        case 304 where wasConditional: return nil
        case 304:
            self.init(
                .unexpectedStatus,
                "the server says that the page hasn't changed, although it wasn't asked",
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
            self.init(.unexpectedStatus, "the server gets too many requests (429)", status: status)
        case 500...599:
            self.init(.unexpectedStatus, "the server has an internal error (\(status))", status: status)
        default:
            self.init(.unexpectedStatus, "the server answered with status \(status)", status: status)
        }
    }
}
