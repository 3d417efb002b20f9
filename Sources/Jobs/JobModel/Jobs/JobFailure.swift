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

/// Shortages of the machine, which pass by themselves.
extension JobFailure {
    /// True if the machine lacks something, so that the attempt doesn't count.
    public var isOfMachine: Bool { !Job.Shortages(code).isEmpty }

    /// Returns the failure for an error number that means that the machine has run out of something; nil
    /// for other numbers.
    ///
    /// Such an error says nothing about the file at hand, so the partial stays and the job waits. Linux
    /// uses the same numbers on every processor (errno(3)).
    public static func shortage(errorNumber: Int32) -> JobFailure? {
        switch errorNumber {
        case 12:  // ENOMEM
            JobFailure(.outOfResources, "the machine has no memory left")
        case 23:  // ENFILE
            JobFailure(.outOfResources, "the machine has no file descriptors left (fs.file-max)")
        case 24:  // EMFILE
            JobFailure(.outOfResources, "the daemon has no file descriptors left (LimitNOFILE= of its unit)")
        default: nil
        }
    }
}

extension JobFailure {
    /// Returns the failure for a file, or the received part of one, that is larger than the policy's
    /// maximum; both lengths are in bytes.
    public static func tooLarge(_ length: Int64, maximum: Int64) -> JobFailure {
        JobFailure(
            .tooLarge,
            "the file is at least \(length) bytes long, and the limit is \(maximum) (transfer.maximum-size)"
        )
    }
}
