/// The meaning of a server's answer for a picture that was fetched from it before.
public enum RefreshVerdict: Hashable, Sendable {
    /// It is the same; these validators go with the next request.
    case unchanged(DocumentValidators)
    /// There is another version.
    case changed
    /// There is none any more (404, 410).
    case gone(status: Int)
    /// The server answers something else that says nothing about the picture.
    case refused(status: Int)
    /// The server wants to be left alone, for so many seconds if it says so.
    case busy(status: Int, retryAfter: Double?)

    /// Decides about an answer.
    ///
    /// - Parameters:
    ///   - validators: those of the answer, with the length of a whole body.
    ///   - isAccepted: whether a file of the answer's type would be taken. A page that says that there is no
    ///     picture is no version of one.
    ///   - before: those of the version that was fetched.
    public init(
        status: Int,
        validators: DocumentValidators,
        isAccepted: Bool,
        retryAfter: Double?,
        before: DocumentValidators
    ) {
        switch status {
        case 304:
            var validators = validators
            validators.length = nil
            self = .unchanged(before.updated(by: validators))
        case 200, 203:
            if !isAccepted {
                self = .refused(status: status)
            } else if before.contradict(validators) {
                self = .changed
            } else {
                self = .unchanged(before.updated(by: validators))
            }
        case 404, 410: self = .gone(status: status)
        case 429, 503: self = .busy(status: status, retryAfter: retryAfter)
        default: self = .refused(status: status)
        }
    }
}
