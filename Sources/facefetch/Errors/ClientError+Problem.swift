import ControlAPI

extension ClientError {
    /// The daemon's problem document as a sentence.
    ///
    /// A refused batch has its items named by whoever sent it; see ``RefusedItems``.
    init(problem: ProblemJSON) {
        let detail = problem.detail.safeForTerminal
        switch problem.status {
        case 503:
            self = .unreachable("\(detail.endedSentence) Try again in a moment.")
        case 403:
            self = .unsuccessful(
                "\(detail.endedSentence) Ask an administrator, or use another account."
            )
        case 400, 413, 415, 422:
            self = .usage(detail.endedSentence)
        default:
            self = .unsuccessful(detail.endedSentence)
        }
    }
}

extension String {
    /// With a full stop where the sentence has no end of its own.
    var endedSentence: String {
        guard let last else { return self }
        return ".!?…".contains(last) ? self : self + "."
    }
}
