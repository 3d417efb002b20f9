import Testing

@testable import SourceCore

@Suite struct RecipeHomeTests {
    @Test(
        "A source's own origin is known without the variables of its slices, unless they decide about it",
        arguments: [
            ("https://h/a?sol={sol}", "h"), ("{base}/a?sol={sol}", "b"), ("https://h/{sol}", "h"),
            ("{sol}/a", nil), ("https://{sol}/a", nil), ("https://{sol}.h/a", nil), ("https://h:{sol}/", nil),
        ] as [(String, String?)]
    )
    func home(_ url: String, _ host: String?) throws {
        let recipe = Recipe(name: "s", url: try URLTemplate(url))
        #expect(recipe.home(Variables(["base": "https://b/v1"]))?.host == host)
    }
}
