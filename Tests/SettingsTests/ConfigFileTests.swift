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
        #expect(file.entries.count <= ConfigFile.maximumNodes)
        #expect(
            file.problems.map(\.message) == [
                "this has more than 1000 values once its aliases are expanded"
            ]
        )
    }

    @Test("a list of lists is refused however deep it is", .timeLimit(.minutes(1)))
    func depth() {
        for text in [String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000)] {
            #expect(ConfigFile(path: "f", text: text).problems.count == 1)
        }
    }
}
