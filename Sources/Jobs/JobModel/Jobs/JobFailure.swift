/// The reason why a job ended without a document, or waits.
public struct JobFailure: Error, Hashable, Sendable {
    /// The machine-readable reason.
    public var code: FailureCode
    /// A sentence for people, without a full stop, without credentials, and of at most ``maximumLength``
    /// bytes.
    public let message: String

    /// The longest message in bytes; bounded because it is stored with the job and in every event about
    /// it.
    public static let maximumLength = 500

    /// Creates a failure; a message that is too long is cut.
    public init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message.limited(toBytes: Self.maximumLength)
    }
}
