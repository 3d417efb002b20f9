import JobModel
import Vocabulary

/// A page of a source that is to be fetched into a file.
public struct PageRequest: Sendable {
    /// A header field; its value may be a secret.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public var name: String
        /// The field's value.
        public var value: String

        /// A field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The URL, secrets included.
    public var url: JobURL
    /// The body to be posted, as JSON, to ``url``'s own origin and no other; nil for GET.
    public var body: String?
    /// The file that the body goes to; what is in it before is replaced.
    public var file: String
    /// Fields that every request sends.
    public var fields: [Field] = []
    /// Fields that go to ``url``'s own origin, or with ``wantsHeadOnly`` unset to the same host's https, and nowhere
    /// else.
    public var ownFields: [Field] = []
    /// The signature of its requests; a signed request follows no redirect.
    public var signature: RequestSignature?
    /// The treatment of `http:` URLs; nil goes by the settings.
    public var plainHTTP: PlainHTTP?
    /// The most bytes of the body as it is decoded.
    public var maximumLength: Int64
    /// The most seconds that it may take altogether; nil for no limit but that of a stalled transfer.
    public var timeLimit: Double?
    /// True if a person waits for it, who tries a recipe out: such pages have places of their own.
    public var isTrial = false
    /// The user who tries it out; nil for nobody, or one who isn't known.
    public var user: UInt32?
    /// True if the server may compress it.
    public var mayBeCompressed = true
    /// True if only the head of the answer is wanted, to ask after a picture that is here already.
    ///
    /// The request is that of a transfer. A body is given up as soon as it begins.
    public var wantsHeadOnly = false
    /// True if the URL's path is an object's key, in which `..` is no step up but a part of the name.
    public var isObject = false

    /// Asks for a page.
    public init(url: JobURL, file: String, maximumLength: Int64, timeLimit: Double? = 120) {
        self.url = url
        self.file = file
        self.maximumLength = maximumLength
        self.timeLimit = timeLimit
    }

    /// The most bytes that are kept of the body of an answer that is an error.
    public static let longestErrorBody: Int64 = 64 * 1024
}

/// A server's answer to a request for a page, whatever its status.
public struct PageAnswer: Sendable {
    /// The status.
    public var status: Int
    /// The header fields in their order.
    public var fields: [PageRequest.Field]
    /// The URL that answered, after redirects; secrets included.
    public var url: JobURL
    /// Bytes of the body as it was decoded.
    public var length: Int64
    /// True if the settings accept pictures of the type that it states.
    public var isAcceptedType = true

    /// An answer.
    public init(status: Int, fields: [PageRequest.Field], url: JobURL, length: Int64) {
        self.status = status
        self.fields = fields
        self.url = url
        self.length = length
    }

    /// The values of a field, in their order.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Seconds that the server asks to be left alone for, at least one; nil where it doesn't.
    ///
    /// How much of that is heeded is decided by who asks for pages, which may be a day (FailurePlan).
    public func retryAfter(now: Timestamp) -> Double? {
        var head = ResponseHead(status: status)
        head.retryAfter = values("retry-after").first
        head.date = values("date").first
        return RetryAfter.seconds(in: head, now: now).map { max($0, AskedWait.honoured.lowerBound) }
    }

    /// A field's moment, in seconds since 1970; nil where it isn't there, 0 where it can't be read.
    public func seconds(_ name: String) -> Double? {
        values(name).first.map { HTTPDate($0).map { Double($0.seconds) } ?? 0 }
    }
}

/// The reason for which a request for a page has no answer.
public enum PageFetchError: Error, Hashable, Sendable {
    /// The server can't be reached, or the connection broke; another try may end better.
    case connection(JobFailure)
    /// It isn't allowed to go there.
    case refused(JobFailure)
    /// The body has more bytes than it may.
    case tooLarge
    /// The file can't be written.
    case storage(JobFailure)
    /// Nobody wants it any more.
    case cancelled
}
