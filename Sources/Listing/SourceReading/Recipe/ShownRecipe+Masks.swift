import SourceCore

/// Placeholders for hidden values, in a recipe that was shown and is given again.
extension ShownRecipe {
    /// Returns a problem for each place where the mask would take the place of the value that it hides.
    static func masks(in recipe: RecipeValue) -> [RecipeProblem] { masks(in: recipe, at: "") }

    private static func masks(in value: RecipeValue, at path: String) -> [RecipeProblem] {
        switch value {
        case .text(let text): mask(in: text, at: path).map { [RecipeProblem(path, $0)] } ?? []
        case .list(let values): values.flatMap { masks(in: $0, at: path) }
        case .map(let entries):
            entries.flatMap { masks(in: $0.value, at: path.isEmpty ? $0.name : "\(path).\($0.name)") }
        case .null, .bool, .integer, .decimal: []
        }
    }

    private static func mask(in text: String, at path: String) -> String? {
        let section = path.prefix { $0 != "." }
        if text == hidden, section == "headers" || section == "vars" {
            return
                "\(hidden) only stands for the value where the recipe is shown; write the value itself, or "
                + "{secret: NAME}"
        }
        guard UserInformation.all(in: text).contains(where: UserInformation.isMask) else { return nil }
        return
            "\(UserInformation.mask) only stands for the password or token where the recipe is shown; write "
            + "the URL with what belongs there"
    }
}
