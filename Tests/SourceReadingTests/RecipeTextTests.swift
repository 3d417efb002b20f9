import SourceCore
import TestTraits
import Testing

@testable import SourceReading

@Suite struct RecipeTextTests {
    private func problems(_ text: String) -> [String] {
        do throws(RecipeRefusal) {
            _ = try RecipeText.read(text)
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
        let recipe = try RecipeText.read(yaml)
        #expect(try RecipeText.read(json) == recipe)
        #expect(recipe.variables.map(\.name) == ["rover", "sol", "key"])
        #expect(recipe.variables[1].slices == ["08", "09", "10"])
    }

    @Test("A name like a number stays as it is written")
    func scalars() throws {
        #expect(
            try RecipeText.value("[007, 1_000, 1.50, 1.5, 0x1F, 12, ~, yes, 'no', 2026-01-02]") == [
                "007", "1_000", "1.50", .decimal(1.5), "0x1F", 12, .null, true, "no", "2026-01-02",
            ]
        )
    }

    @Test("A source can't be called try, for a reason that is said; a secret can")
    func reserved() throws {
        let rest = "\nurl: http://h/\nitems: .[]\njob: {url: .u}\n"
        #expect(problems("name: try" + rest).first?.contains("where recipes are tried") == true)
        #expect(problems("name: trying" + rest).isEmpty)
        let recipe = try RecipeText.read("name: a\nheaders: {x: {secret: try}}" + rest)
        #expect(recipe.secrets == ["try"])
    }

    @Test("What costs much to compare costs no more than its length", .timeLimit(.minutes(5)))
    func costs() {
        let head = "name: a\nurl: \"http://h/"
        let tail = "\"\nitems: .[]\njob: {url: .u}\n"
        let texts: [(Int) -> String] = [
            { head + tail + String(repeating: "nam", count: 20 * $0) + ": 1\n" },
            { count in
                head + (0..<4 * count).map { "{v\($0)}" }.joined() + tail + "vars: {"
                    + (0..<count * 12 / 5).map { "w\($0): 1" }.joined(separator: ",") + "}\n"
            },
            { head + tail + (0..<4 * $0).map { "f\($0): 1" }.joined(separator: "\n") },
            { head + tail + "every: " + String(repeating: "1", count: 60 * $0) },
            { head + tail + "select: " + String(repeating: "1:", count: 30 * $0) },
            { head + tail + "select: \"" + String(repeating: "a@b://", count: 10 * $0) + "\"" },
            { head + String(repeating: "{", count: 60 * $0) + tail },
            // A value that isn't shown is looked for in the text, which nearly has it very often.
            {
                head + tail + "headers: {a: '{w}'}\nvars: {w: \"b" + String(repeating: "a", count: 15 * $0)
                    + "\"}\n# " + String(repeating: "a", count: 30 * $0)
            },
        ]
        for text in texts {
            func seconds(_ count: Int) -> Double {
                let text = text(count)
                return threadTime {
                    #expect(RecipeAnswer(to: RecipeRequest(text, name: nil)).problems.count <= 101)
                }
            }
            // Eight times the length: were it the square, it would be 64 times as long.
            #expect(seconds(1000) < seconds(125) * 32 + 0.01, "\(text(10).prefix(200))")
        }
    }

    @Test(
        "Where YAML gives a meaning to signs of jq, the message says what to do",
        arguments: [
            (".[] | {a: .b}", "behind >-"), ("@json", "begins with such a sign"),
            ("\"https://h/\" + .b", "begins with a quote"), ("\"\\(.b)\"", "with a \\ in it"),
            ("{a: .b[0], c: 1}", "in braces between single quotes"),
        ]
    )
    func slips(_ expression: String, _ advice: String) {
        let problem = problems("name: x\nurl: https://h/\nitems: \(expression)\n").first ?? ""
        #expect(problem.contains("(line 3)") && problem.contains(advice), "\(problem)")
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
