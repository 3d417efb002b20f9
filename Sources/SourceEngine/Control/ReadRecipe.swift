import RecipeFile
import SourceCore

/// A recipe that was read, which a hostile text can make slow: best done where nobody waits.
struct ReadRecipe: Sendable {
    /// What it says.
    let recipe: Recipe
    /// The recipe as it was given.
    let text: String
    /// The same for people: without passwords, and without the values of header fields.
    let shown: String

    /// Reads a recipe that is to be applied.
    ///
    /// - Parameter name: the name of the source, unless the recipe gives one.
    init(_ text: String, name: String?) throws(RecipeRefusal) {
        let value = try RecipeFile.value(text)
        let masks = ShownRecipe.masks(in: value)
        guard masks.isEmpty else { throw RecipeRefusal(masks) }
        try self.init(text, value, name: name)
    }

    /// Reads a recipe that was applied before, maybe by an earlier version, which took longer ones.
    init(stored text: String, name: String) throws(RecipeRefusal) {
        try self.init(text, try RecipeFile.value(text, limit: RecipeFile.storedLength), name: name)
    }

    private init(_ text: String, _ value: RecipeValue, name: String?) throws(RecipeRefusal) {
        recipe = try Recipe(reading: value, name: name)
        self.text = text
        shown = ShownRecipe.text(of: text, value)
    }
}
