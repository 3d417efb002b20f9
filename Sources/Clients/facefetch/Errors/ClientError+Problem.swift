import ControlAPI

extension ClientError {
    /// Creates an error from the daemon's problem document.
    ///
    /// For a refused batch, the caller names the items; see ``RefusedItems``.
    init(problem: ProblemJSON) {
        // A recipe can have several mistakes, each of which has a line.
        let sentence = problem.detail.split(separator: "\n").map { $0.description.safeForTerminal.asSentence }
            .joined(separator: "\n")
        switch problem.status {
        case _ where problem.code == ProblemCode.unreadablePage.rawValue: self = .unsuccessful(sentence)
        case _ where Self.ofRecipes.contains(problem.code): self = .usage(sentence)
        case 503: self = .unreachable(sentence)
        case 400, 413, 415, 422, 431: self = .usage(sentence)
        default: self = .unsuccessful(sentence)
        }
        code = problem.code
        mayPass = HTTPResponse.isServerError(problem.status)
    }
}

extension ClientError {
    /// Codes of problems with a recipe, its name or its secrets, and not with the daemon.
    private static let ofRecipes = [
        ProblemCode.nameTaken, .needsReset, .secretNotAllowed,
    ].map(\.rawValue)
}

extension String {
    /// The text with a capital at the beginning, unless that is the name of a field, and a full stop at the
    /// end.
    var asSentence: String {
        let first = prefix { $0 != " " }
        if first.hasSuffix(":") || first.contains("_") { return endedSentence }
        return prefix(1).uppercased() + dropFirst().endedSentence
    }
}

extension StringProtocol {
    /// The text with a full stop unless it ends like a sentence already.
    var endedSentence: String {
        guard let last else { return "" }
        return ".!?…".contains(last) ? String(self) : self + "."
    }
}
