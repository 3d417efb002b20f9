import SourceCore

extension Readers {
    /// The time that a recipe may take to be read: most take a few milliseconds.
    static let recipeLimit = Duration.seconds(10)

    /// Has a recipe read by a process of its own, and returns the frame with its answer.
    func read(_ request: RecipeRequest) -> ListerFrame? {
        let failure: ListerFailure
        switch answer(to: request) {
        case .success(let answer):
            guard let frame = answer.frames.last, frame.kind == .values else { return nil }
            return frame
        case .failure(let lost): failure = lost.ofRecipe
        }
        return try? ListerFrame(.failure, id: request.id, failure)
    }

    private func answer(to request: RecipeRequest) -> Result<Answer, ListerFailure> {
        guard let frame = try? ListerFrame(.recipe, id: request.id, request),
            frame.body.count + ListerFrame.headerLength <= ListerFrame.Kind.recipe.maximumLength
        else { return .failure(ListerFailure("too_large", "the recipe is too large to be read")) }
        return run(feeding: nil, after: frame.bytes, id: request.id)
    }
}

extension ListerFailure {
    /// The failure of a process that read a recipe, and no page.
    fileprivate var ofRecipe: ListerFailure {
        var failure = self
        failure.message = message.replacing("reading the page", with: "reading the recipe")
            .replacing("the page may be", with: "the recipe may be")
            .replacing("ask for smaller pages", with: "make it shorter")
        return failure
    }
}
