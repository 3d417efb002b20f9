import SourceCore
import Testing

/// Recipes as they come from a process that has read strangers' bytes.
struct RecipeAnswerTests {
    private static let value: RecipeValue = [
        "name": "a", "url": "http://h/", "items": ".[]", "job": ["url": ".u"], "ahead": 7,
        "vars": ["x": ["1", 2, .decimal(0.5), true, "n"], "": .null],
    ]

    @Test("A value is the same after it went in pieces")
    func pieces() {
        for value in [Self.value, .null, "", "t", [], [:], [[[[]]], "l1"], .integer(.min), .decimal(-1e300)] {
            #expect(RecipeValue(pieces: value.pieces) == value)
        }
    }

    @Test("A recipe is made of its pieces, under the name that it gives or gets")
    func recipe() throws {
        let value: RecipeValue = ["url": "http://h/", "items": ".[]", "job": ["url": ".u"]]
        let recipe = try RecipeAnswer(pieces: value.pieces, shown: nil).recipe(name: "b")
        #expect(recipe.name == "b" && recipe.items == ".[]")
    }

    @Test(
        "Pieces that no value has are refused",
        arguments: [
            [], ["x"], [""], ["n", "n"], ["nn"], ["b2"], ["i1.5"], ["dnan"], ["dinf"], ["l2", "n"], ["l-1"],
            ["l9223372036854775807"], ["m1", "n"], ["m1", "i1", "n"], ["m1", "l0", "n"], ["l"],
            Array(repeating: "l1", count: 22) + ["n"], Array(repeating: "l1", count: 9_999) + ["n"],
            ["l10000"] + Array(repeating: "n", count: 10_000),
        ]
    )
    func lies(pieces: [String]) {
        #expect(RecipeValue(pieces: pieces) == nil)
        #expect(throws: RecipeRefusal.self) {
            _ = try RecipeAnswer(pieces: pieces, shown: nil).recipe(name: "a")
        }
    }

    @Test("What a reader has found wrong is told, and what it has overlooked is found")
    func problems() {
        let refusal = #expect(throws: RecipeRefusal.self) {
            try RecipeAnswer(problems: [.init(field: "job.url", message: "this is empty")]).recipe(name: "a")
        }
        #expect(refusal?.description == "job.url: this is empty")
        let other = #expect(throws: RecipeRefusal.self) {
            try RecipeAnswer(pieces: (["url": 1] as RecipeValue).pieces, shown: nil).recipe(name: "../a")
        }
        #expect(other?.problems.map(\.path).contains("name") == true)
    }
}
