import Testing

@testable import Settings

@Suite("Settings files that nobody wrote in good faith")
struct ConfigFileTests {
    @Test(
        "aliases of aliases, by which a page stands for a billion values, end at a limit",
        .timeLimit(.minutes(1))
    )
    func aliases() {
        let levels = (1...30).map { "a\($0): &a\($0) {p: *a\($0 - 1), q: *a\($0 - 1)}" }
        let file = ConfigFile(path: "f", text: (["a0: &a0 {x: 1}"] + levels).joined(separator: "\n"))
        #expect(file.entries.isEmpty)
        #expect(
            file.problems.map(\.message) == [
                "there are too many values: more than 3000, counting what aliases stand for"
            ]
        )
    }

    @Test("names that stand for more than can be compared are refused", .timeLimit(.minutes(1)))
    func names() {
        let (hashed, deep) = (1...60, 1...3000)
        let texts = [
            hashed.map { "a\($0): &a\($0) {? [*a\($0 - 1), *a\($0 - 1)] : 1}" },
            deep.map { "a\($0): &a\($0) {*a\($0 - 1) : 1}" },
            deep.map { "a\($0): &a\($0) [*a\($0 - 1)]" },
        ]
        let found = ["a name must be", "the alias *a0 stands where", "there are too many"]
        for (lines, words) in zip(texts, found) {
            let file = ConfigFile(path: "f", text: (["a0: &a0 [x]"] + lines).joined(separator: "\n"))
            #expect(file.problems.count == 1)
            #expect(file.problems.first?.message.hasPrefix(words) == true, "\(file.problems)")
        }
    }

    @Test("a list of lists is refused however deep it is", .timeLimit(.minutes(1)))
    func depth() {
        for text in [String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000)] {
            #expect(ConfigFile(path: "f", text: text).problems.count == 1)
        }
    }
}
