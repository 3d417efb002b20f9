import SourceCore

@testable import SourceReading

/// A recipe that somebody posts.
enum RecipeTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let answer = RecipeAnswer(to: RecipeRequest(text, name: nil))
        let sent = try RecipeAnchorTrial.check(answer, of: text)
        let recipe: Recipe
        do throws(RecipeRefusal) {
            recipe = try RecipeText.read(text)
        } catch {
            try promise(!error.problems.isEmpty, "the recipe is wrong, and nothing of it is")
            for problem in error.problems { try promise(!problem.message.isEmpty, "there is no reason") }
            return nil
        }
        // Masks for values are refused, too.
        try promise(sent == nil || sent == recipe, "a recipe is another one after it was sent")
        try promise((1...63).contains(recipe.name.utf8.count), "the name is \(recipe.name)")
        try promise(!recipe.name.contains("/"), "the name is a path")
        try promise((1...100_000).contains(recipe.ahead), "it reads \(recipe.ahead) ahead")
        try promise(recipe.every ?? 60 >= 60, "it looks every \(recipe.every ?? 0) s")
        try promise(
            (1024...256 << 20).contains(recipe.limits.pageBytes),
            "a page has \(recipe.limits.pageBytes)"
        )
        for secret in recipe.secrets { try promise(!secret.contains("/"), "a secret is a path") }
        let slices = SlicePlan.ranges(of: recipe)
        try promise(slices.count <= RecipeVariable.mostSlices, "there are \(slices.count) slices")
        try checkURL(of: recipe, slices.first)
        return recipe.items ?? recipe.url.text
    }

    /// A URL is stored without its secrets, and comes back with them.
    private static func checkURL(of recipe: Recipe, _ range: Slice?) throws(BrokenPromise) {
        let secrets = Dictionary(recipe.secrets.map { ($0, "s3cret/\($0)") }) { first, _ in first }
        var slice = range ?? Slice(key: "")
        for variable in recipe.slices?.variables ?? [] { slice.variables[variable.name] = "v" }
        guard let values = try? Variables(recipe: recipe, slice: slice, secrets: secrets),
            let url = try? recipe.url.filled(values)
        else { throw BrokenPromise(description: "a recipe that was taken has no first page") }
        let kept = values.unfilled(url)
        for secret in secrets.values {
            try promise(!kept.contains(secret), "a URL that is kept has a secret in it")
        }
        let again = try? values.refilled(kept)
        try promise(again.map { values.unfilled($0) } == kept, "a URL isn't the same after it was kept")
    }
}
