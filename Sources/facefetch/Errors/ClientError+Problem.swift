import ControlAPI

extension ClientError {
    /// The daemon's problem document as a sentence.
    ///
    /// A refused batch has its items named by whoever sent it; see ``RefusedItems``.
    init(problem: ProblemJSON) {
        let sentence = problem.detail.safeForTerminal.asSentence
        switch problem.status {
        case _ where problem.code == ProblemCode.unreadablePage.rawValue: self = .unsuccessful(sentence)
        case _ where Self.ofRecipes.contains(problem.code): self = .usage(sentence)
        case 503: self = .unreachable(sentence)
        case 400, 413, 415, 422, 431: self = .usage(sentence)
        default: self = .unsuccessful(sentence)
        }
    }
}

extension ClientError {
    /// What is wrong with a recipe, its name or its secrets, and not with the daemon.
    private static let ofRecipes = [
        ProblemCode.nameTaken, .needsReset, .secretNotAllowed,
    ].map(\.rawValue)
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
