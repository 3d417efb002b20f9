import SourceCore

extension RecipeAnswer {
    /// The most problems that are named.
    private static let mostProblems = 100
    /// The longest path and the longest message of a problem in bytes.
    private static let longestPath = 200
    private static let longestMessage = 2000

    /// Reads the recipe of a request, and finds everything that is wrong with it.
    public init(to request: RecipeRequest) {
        do throws(RecipeRefusal) {
            let value = try RecipeText.value(request.text)
            let masks = ShownRecipe.masks(in: value)
            guard masks.isEmpty else { throw RecipeRefusal(masks) }
            _ = try Recipe(reading: value, name: request.name)
            let shown = ShownRecipe.text(of: request.text, value)
            self.init(pieces: value.pieces, shown: shown == request.text ? nil : shown)
        } catch {
            var problems = error.problems.prefix(Self.mostProblems).map { problem in
                Problem(
                    field: Self.cut(problem.path, Self.longestPath),
                    message: Self.cut(problem.message, Self.longestMessage)
                )
            }
            if error.problems.count > problems.count {
                let rest = error.problems.count - problems.count
                problems.append(Problem(field: "", message: "and \(rest) more problems"))
            }
            self.init(problems: problems)
        }
    }

    private static func cut(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        // What is left of a character that was cut becomes a mark.
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
    }
}
