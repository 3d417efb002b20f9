import SourceCore

/// A recipe that was read, in a process of its own.
struct ReadRecipe: Sendable {
    /// The recipe itself.
    let recipe: Recipe
    /// The recipe as it was given.
    let text: String
    /// The reader's answer about it, which the store keeps: a text that a stranger has written isn't read
    /// again at each start.
    let answer: RecipeAnswer

    /// The recipe for people: without passwords, and without the values of header fields.
    var shown: String { answer.shown ?? text }

    /// Makes a recipe from a reader's answer about its text.
    ///
    /// - Parameter name: the name of the source, unless the recipe gives one.
    init(_ answer: RecipeAnswer, of text: String, name: String?) throws(RecipeRefusal) {
        recipe = try answer.recipe(name: name)
        (self.text, self.answer) = (text, answer)
    }
}

extension SourceParts {
    /// Lets the reader read a recipe that is to be applied.
    ///
    /// If the task is cancelled, the reader is ended.
    func read(_ order: RecipeOrder) async throws(SourceRefusal) -> ReadRecipe {
        let name = order.name ?? order.fallback
        guard order.text.utf8.count <= RecipeRequest.maximumLength else {
            let words = "a recipe has at most \(RecipeRequest.maximumLength) bytes"
            throw .badRecipe([RecipeProblem("", words)])
        }
        return try await read(RecipeRequest(order.text, name: name), for: order.asker)
    }

    /// Lets the reader read a recipe that was applied before, of which the reader's answer is lost or no longer
    /// believed.
    func read(stored text: String, name: String) async throws(SourceRefusal) -> ReadRecipe {
        try await read(RecipeRequest(text, name: name), for: .daemon)
    }

    private func read(
        _ request: RecipeRequest,
        for asker: ListerAsker
    ) async throws(SourceRefusal) -> ReadRecipe {
        let answer: RecipeAnswer
        switch await reader.recipe(request, for: asker) {
        case .success(let read): answer = read
        case .failure(let failure):
            let code = SourceFailure.Code(rawValue: failure.code) ?? .readerCrashed
            throw .page(SourceFailure(code, failure.message))
        }
        do throws(RecipeRefusal) {
            return try ReadRecipe(answer, of: request.text, name: request.name)
        } catch {
            throw .badRecipe(error.problems)
        }
    }
}
