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

    /// A recipe of slices with a secret.
    private func recipe(_ url: String, slices: String = "https://h/parts") throws -> Recipe {
        var recipe = Recipe(name: "s", url: try URLTemplate(url))
        recipe.variables = [
            .init("key", .secret("k", fallback: nil)), .init("base", .text("https://h/v1")),
            .init("zone", .each(["eu", "us"])),
        ]
        recipe.slices = SliceRecipe(url: try URLTemplate(slices), each: ".[]")
        recipe.slices?.variables = [
            .init(name: "part", expression: "."), .init(name: "over", expression: "."),
        ]
        return recipe
    }

    @Test(
        "What a list of slices says never makes an origin the source's own, and a range of the recipe's does",
        arguments: [
            ("https://h/a?sol={part}&key={key}", "h"), ("{base}/a?sol={part}", "h"), ("{part}/a", nil),
            ("https://{part}/a", nil), ("https://{part}.h/a", nil), ("https://{zone}.h/{part}", "eu.h"),
            ("https://{over}/{zone}", nil),
        ] as [(String, String?)]
    )
    func slices(_ url: String, _ host: String?) throws {
        var recipe = try recipe(url)
        recipe.variables.append(.init("over", .text("h")))
        let slice = Slice(
            key: "1",
            variables: ["part": "h", "zone": "eu", "over": "evil", "base": "https://h/v1"]
        )
        let variables = try Variables(recipe: recipe, slice: slice, secrets: ["k": "S"])
        let isGiven = url.contains("{base}")
        #expect(recipe.home(variables)?.host == (isGiven ? nil : host))
        let own = Slice(key: "1", variables: ["part": "h", "zone": "eu", "over": "evil"])
        #expect(try recipe.home(Variables(recipe: recipe, slice: own, secrets: ["k": "S"]))?.host == host)
        // Nor may a list of slices say which zone it is where it names one itself.
        recipe.slices?.variables.append(.init(name: "zone", expression: "."))
        let zoned = try Variables(recipe: recipe, slice: own, secrets: ["k": "S"])
        #expect(recipe.home(zoned)?.host == (url.contains("{zone}.h") ? nil : host))
    }

    @Test("Nor do the lists that slices have get a secret elsewhere, or where a slice says")
    func nested() throws {
        for (url, field) in [
            ("https://h/{part}?k={key}", nil), ("{part}?k={key}", "slices.slices.url"),
            ("https://o/{part}?k={key}", "slices.slices.url"), ("{part}", nil),
        ] {
            var recipe = try recipe("https://h/?k={key}")
            recipe.slices?.slices = SliceRecipe(url: try URLTemplate(url), each: ".[]")
            var reader = RecipeReader([:], section: "")
            recipe.checkSecrets(&reader)
            #expect(reader.problems.map(\.path) == [field].compactMap(\.self), "\(url)")
        }
    }

    @Test(
        "A recipe whose secrets could go to another server is refused",
        arguments: [
            ("https://h/{part}?k={key}", "https://h/parts?k={key}", nil),
            ("{base}/{part}", "{base}/p?k={key}", nil),
            ("{part}/?k={key}", "https://h/parts", "url"),
            ("http://{part}:8/?k={key}", "https://h/parts", "url"),
            ("https://h:{part}/", "https://h/parts", "url"),
            ("https://h/?k={key}", "https://other/parts?k={key}", "slices.url"),
            ("https://h/?k={key}", "http://h/parts?k={key}", "slices.url"),
            ("http://h/?k={key}", "https://h/parts?k={key}", nil),
            ("https://h/?k={key}", "https://other/", nil),
            ("https://{zone}.h/?k={key}", "https://eu.h/parts?k={key}", "slices.url"),
            ("{key}/list", "{key}/parts", nil), ("{key}/list", "https://h/{key}", "slices.url"),
        ] as [(String, String, String?)]
    )
    func refusing(_ url: String, _ slices: String, _ field: String?) throws {
        let recipe = try recipe(url, slices: slices)
        var reader = RecipeReader([:], section: "")
        recipe.checkSecrets(&reader)
        #expect(reader.problems.map(\.path) == [field].compactMap(\.self), "\(reader.problems)")
        var open = recipe
        open.variables.removeFirst()
        open.variables.append(.init("key", .text("x")))
        var other = RecipeReader([:], section: "")
        open.checkSecrets(&other)
        #expect(other.problems.isEmpty)
    }
}
