import SourceCore
import Testing

@testable import SourceReading

@Suite("Recipes as they are shown")
struct ShownRecipeTests {
    @Test(
        "A recipe with nothing to hide is shown as it was given",
        arguments: [
            "name: a # first\nurl: http://h/{page}?a=b@c\nheaders: {x-key: {secret: key}}\n",
            "{\"name\": \"a\", \"url\": \"http://h/\", \"vars\": {\"page\": 1}}",
        ]
    )
    func open(recipe: String) throws { #expect(try Self.shown(recipe) == recipe) }

    private static func shown(_ recipe: String) throws -> String {
        ShownRecipe.text(of: recipe, try RecipeText.value(recipe))
    }

    @Test("Where values are hidden, the rest stays as it was given")
    func hidden() throws {
        let recipe = """
            name: a   # Ann's, not "Bearer T0PSECRET"
            url: http://ann:sekrit@h/{page}
            vars: {page: 1, key: T0PSECRET2}
            headers:
              Authorization: "Bearer T0PSECRET"
              x-key: T0PSECRET3
              x-other: "{key}"
              x-named: {secret: key-of-ann}
            items: .items[]   # http://ann:sekrit@h/

            """
        #expect(
            try Self.shown(recipe) == """
                name: a   # Ann's, not "(hidden)"
                url: http://ann:***@h/{page}
                vars: {page: 1, key: (hidden)}
                headers:
                  Authorization: "(hidden)"
                  x-key: (hidden)
                  x-other: "(hidden)"
                  x-named: {secret: key-of-ann}
                items: .items[]   # http://ann:***@h/

                """
        )
    }

    @Test(
        "However a value is written, it isn't shown, and the recipe can still be read",
        arguments: [
            #"headers: {a: "T0P\x53ECRET"}"#, "headers:\n  a: >-\n    T0P\n    SECRET",
            "headers: {a: &x T0PSECRET, b: *x}", "headers: {a: 'T0P''SECRET'}", "headers: {a: 1}\nahead: 1",
            "headers: {a: true}", #"slices: {url: "http://ann:T0P\x53ECRET@h/"}"#,
            "vars: {w: T0PSECRET}\nslices: {url: 'http://ann:{w}@h/'}",
            "vars: {w: {secret: s, default: T0PSECRET}}\nheaders: {a: '{w}'}",
            "vars: {w: 'http://ann:T0PSECRET@h'}", "job: {url: '\"http://ann:T0PSECRET@h/\" + .id'}",
        ]
    )
    func spellings(more: String) throws {
        let recipe = "name: \"a\"\nurl: \"http://h/\"\n\(more)\n"
        let given = try RecipeText.value(recipe)
        let shown = try Self.shown(recipe)
        #expect(!shown.contains("SECRET") && !shown.contains("T0P") && shown != recipe, "\(shown)")
        let value = try RecipeText.value(shown)
        #expect(value != given && value.json.contains("***") || value.json.contains(ShownRecipe.hidden))
    }

    @Test(
        "A recipe that was shown isn't applied with the masks for values",
        arguments: [
            ("job: {url: .u}\nheaders: {Authorization: Bearer T0PSECRET}", "headers.Authorization"),
            ("job: {url: .u}\nvars: {key: T0PSECRET}\nheaders: {a: \"{key}\"}", "vars.key"),
            ("job: {url: '\"http://ann:T0PSECRET@h/\" + .id'}", "job.url"),
            ("job: {url: '\"http://T0PSECRET@h/\" + .id'}", "job.url"),
        ]
    )
    func masks(more: String, path: String) throws {
        let recipe = "name: a\nurl: http://h/\nitems: .[]\n\(more)\n"
        let shown = try Self.shown(recipe)
        #expect(!shown.contains("T0PSECRET"))
        let problems = RecipeAnswer(to: RecipeRequest(shown, name: nil)).problems
        let problem = try #require(problems.first { $0.field == path }, "\(problems)")
        #expect(problem.message.contains("only stands for") && problem.message.contains("write the"))
    }

    @Test("Very many hidden values cost no pass over the recipe each")
    func manyValues() throws {
        let values = (0..<5000).map { "'v\($0)'" }.joined(separator: ",")
        let recipe =
            "name: a\nurl: http://h/\nvars: {w: [\(values)]}\nheaders: {a: '{w}'}\nitems: .[]\njob: {url: .u}\n"
        let shown = try #require(RecipeAnswer(to: RecipeRequest(recipe, name: nil)).shown)
        #expect(!shown.contains("v4999") && shown.contains(ShownRecipe.hidden))
    }
}
