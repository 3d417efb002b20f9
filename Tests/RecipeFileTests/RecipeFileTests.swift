import SourceCore
import Testing

@testable import RecipeFile

@Suite struct RecipeFileTests {
    private func problems(_ text: String) -> [String] {
        do throws(RecipeRefusal) {
            _ = try RecipeFile.read(text)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("A recipe is the same in YAML and in JSON")
    func same() throws {
        let yaml = """
            name: mars   # a comment
            url: "https://h/{rover}?sol={sol}"
            vars: {rover: spirit, sol: {range: 08-10}, key: {secret: nasa}}
            items: .photos[]
            job:
              url: .img_src
              meta: {camera: .camera.name}
            every: 6h
            ahead: 20
            """
        let json = """
            {"name": "mars", "url": "https://h/{rover}?sol={sol}", "vars": {"rover": "spirit", "sol": {"range": "08-10"},
            "key": {"secret": "nasa"}}, "items": ".photos[]", "job": {"url": ".img_src", "meta": {"camera": ".camera.name"}},
            "every": "6h", "ahead": 20}
            """
        let recipe = try RecipeFile.read(yaml)
        #expect(try RecipeFile.read(json) == recipe)
        #expect(recipe.variables.map(\.name) == ["rover", "sol", "key"])
        #expect(recipe.variables[1].slices == ["08", "09", "10"])
    }

    @Test("A name like a number stays as it is written")
    func scalars() throws {
        #expect(
            try RecipeFile.value("[007, 1_000, 1.50, 1.5, 0x1F, 12, ~, yes, 'no', 2026-01-02]") == [
                "007", "1_000", "1.50", .decimal(1.5), "0x1F", 12, .null, true, "no", "2026-01-02",
            ]
        )
    }

    @Test("What is no YAML, too large, or grows by aliases is refused with its line")
    func refused() {
        #expect(problems("name: [").first?.contains("not valid YAML") == true)
        #expect(problems("name: a\nname: b").first?.contains("twice") == true)
        #expect(problems("").first == "the recipe is empty")
        #expect(problems(String(repeating: "#", count: 65_537)).first?.contains("at most") == true)
        var bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        for (name, before) in [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d"), ("f", "e")] {
            let aliases = Array(repeating: "*\(before)", count: 10).joined(separator: ",")
            bomb += "\(name): &\(name) [\(aliases)]\n"
        }
        #expect(problems(bomb).first?.contains("too many values") == true)
        #expect(
            problems("a: " + String(repeating: "[", count: 50) + String(repeating: "]", count: 50)).first?
                .contains("too many") == true
        )
    }
}
