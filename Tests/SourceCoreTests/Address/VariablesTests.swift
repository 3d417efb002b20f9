import Testing

@testable import SourceCore

@Suite struct VariablesTests {
    private let values = Variables(
        ["q": "a b/é?", "base": "https://a.example/x?y"],
        secret: ["key": "S3cr&t+ä", "pin": "42"]
    )

    @Test("A variable is percent-encoded, and put in as it is at the very beginning")
    func filling() throws {
        #expect(try URLTemplate("{base}&q={q}").filled(values) == "https://a.example/x?y&q=a%20b%2F%C3%A9%3F")
        #expect(try URLTemplate("https://h/{q}").filled(values) == "https://h/a%20b%2F%C3%A9%3F")
        #expect(try URLTemplate("Bearer {key}").filledVerbatim(values) == "Bearer S3cr&t+ä")
        #expect(throws: MissingVariable(name: "none")) { try URLTemplate("https://h/{none}").filled(values) }
    }

    @Test(
        "A cursor that is a URL is kept without its secrets, and comes back with them",
        arguments: [
            ("https://h/p?key=S3cr%26t%2B%C3%A4&page=2", "https://h/p?key={key}&page=2"),
            ("https://h/p?pin=42&page=42a", "https://h/p?pin={pin}&page=42a"),
            ("https://h/p42?n=142", "https://h/p42?n=142"),
        ]
    )
    func unfilling(_ url: String, _ kept: String) throws {
        #expect(values.unfilled(url) == kept)
        #expect(try values.refilled(kept) == url)
    }

    @Test(
        "A server may write a secret in its URLs as it likes",
        arguments: [
            "https://h/p?key=S3cr%26t%2b%c3%a4&page=2", "https://h/p?key=S3cr&amp;t&#43;%C3%A4&page=2",
            "https://h/p?key=S3cr%26t+\u{E4}&page=2", "https://h/p?key=S3cr\\u0026t\\u002B\u{E4}&page=2",
        ]
    )
    func spellings(_ url: String) throws {
        #expect(values.unfilled(url) == "https://h/p?key={key}&page=2")
        #expect(values.unfilled("https://h/?a=%34%32&b=%2042") == "https://h/?a={pin}&b=%2042")
    }

    @Test("A slice's variable in which a list repeats a secret is filled in with it, and only for requests")
    func slices() throws {
        var recipe = Recipe(name: "x", url: try URLTemplate("https://h/{a}?k={k}"))
        recipe.variables = [.init("k", .secret("api.key", fallback: nil))]
        recipe.slices = SliceRecipe(url: try URLTemplate("https://h/slices"), each: ".[]")
        let secrets = ["api.key": "S3CR3T/key", "other": "{api.key}"]
        let slice = Slice(key: "1", variables: ["a": "x {api.key}-{other}{none}{"])
        let values = try Variables(recipe: recipe, slice: slice, secrets: secrets)
        let url = try recipe.url.filled(values)
        #expect(url == "https://h/x%20S3CR3T%2Fkey-%7Bapi.key%7D%7Bnone%7D%7B?k=S3CR3T%2Fkey")
        #expect(values.visible["a"] == "x {api.key}-{other}{none}{")
        #expect(values.secrets(in: "https://h/{a}") == ["a"])
        #expect(values.unfilled(url).hasPrefix("https://h/x%20{k}-"))
        // What the recipe itself gives is meant as it is.
        let plain = try Variables(
            recipe: recipe,
            slice: Slice(key: "1", variables: ["a": "{"]),
            secrets: secrets
        )
        #expect(plain.secrets(in: "https://h/{a}").isEmpty)
    }

    @Test("Braces in a server's URL are no variables")
    func braces() throws {
        let kept = values.unfilled("https://h/{key}")
        #expect(kept == "https://h/%7Bkey%7D")
        #expect(try values.refilled(kept) == kept)
    }

    @Test("A secret that isn't there has its default, or is an error; a slice's variables go first")
    func secrets() throws {
        var recipe = Recipe(name: "x", url: try URLTemplate("https://h/{a}"))
        recipe.variables = [.init("a", .secret("s", fallback: "D")), .init("b", .text("1"))]
        let slice = Slice(key: "k", variables: ["b": "2"])
        let without = try Variables(recipe: recipe, slice: slice, secrets: [:])
        #expect(without.visible == ["a": "D", "b": "2"])
        let with = try Variables(recipe: recipe, slice: nil, secrets: ["s": "hidden"])
        #expect(with.visible == ["b": "1"])
        #expect(with.unfilled("https://h/hidden") == "https://h/{a}")
        recipe.variables[0].value = .secret("s", fallback: nil)
        #expect(throws: MissingSecret(name: "s")) { try Variables(recipe: recipe, slice: nil, secrets: [:]) }
    }
}
