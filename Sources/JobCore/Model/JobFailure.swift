/// A reason why a job ended without a document, or waits.
public struct JobFailure: Error, Hashable, Sendable {
    /// The stable name, for programs.
    public var code: FailureCode
    /// One sentence for people, without a full stop, free of credentials, of ``maximumLength`` bytes at most.
    public let message: String

    /// The longest message, in bytes: each is kept with its job and in every event that tells of it.
    public static let maximumLength = 500

    /// A reason, by code and sentence; what is too long of it is cut off.
    public init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message.limited(toBytes: Self.maximumLength)
    }
}
