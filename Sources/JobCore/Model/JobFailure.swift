/// Why a job ended without a document, or waits.
public struct JobFailure: Error, Hashable, Sendable {
    /// The stable name, for programs.
    public var code: FailureCode
    /// One sentence for people, without a full stop, free of credentials.
    public var message: String

    /// A reason, by code and sentence.
    public init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
