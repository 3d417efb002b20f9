import ListerProtocol
import SourceCore

extension RecipeAnswer {
    /// Makes the recipe of what a lister has read; it is checked as if nobody had read it before.
    ///
    /// - Parameter name: the name of the source, unless the recipe gives one.
    /// - Throws: ``SourceCore/RecipeRefusal`` with everything that is wrong.
    public func recipe(name: String?) throws(RecipeRefusal) -> Recipe {
        guard problems.isEmpty else {
            throw RecipeRefusal(problems.map { RecipeProblem($0.field, $0.message) })
        }
        guard let value = RecipeValue(pieces: pieces) else {
            throw RecipeRefusal([RecipeProblem("", "what the reader of recipes says of it makes no sense")])
        }
        return try Recipe(reading: value, name: name)
    }
}
