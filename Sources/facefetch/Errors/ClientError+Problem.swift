import ControlAPI

extension ClientError {
    /// The daemon's problem document as a sentence.
    ///
    /// A refused batch has its items named by whoever sent it; see ``RefusedItems``.
    init(problem: ProblemJSON) {
        let sentence = problem.detail.safeForTerminal.asSentence
        switch problem.status {
        case 503: self = .unreachable(sentence)
        case 400, 413, 415, 422, 431: self = .usage(sentence)
        default: self = .unsuccessful(sentence)
        }
    }
}

extension String {
    /// With a capital at its beginning and a full stop at its end.
    var asSentence: String { prefix(1).uppercased() + dropFirst().endedSentence }
}

extension StringProtocol {
    /// With a full stop where the sentence has no end of its own.
    var endedSentence: String {
        guard let last else { return "" }
        return ".!?…".contains(last) ? String(self) : self + "."
    }
}
