import TestSupport
import TestTraits
import Testing

@Suite(
    "The sentences that the programs can say",
    .enabled(if: Repository.python != nil, "needs python3"),
    .ownThread
)
struct SentencesTests {
    private func list(_ folder: String) throws -> (status: Int32, output: String) {
        try Shell.run([try #require(Repository.python), Repository.path("scripts/list-sentences"), folder])
    }

    @Test("are printed in one list")
    func ours() throws {
        let listed = try list(Repository.root)
        #expect(listed.status == 0, "\(listed.output)")
        for sentence in [
            "the partial file has only <length> bytes", "this is not a URL",
            "Ends jobs and removes their partial files.",
            "The maximum speed of all transfers together; 0 for no limit.",
            "the sandbox can't be set up: %s: %s",
        ] {
            #expect(listed.output.contains("  \(sentence)\n"), "\(sentence)")
        }
        print(listed.output)
    }

    @Test("are found wherever they stand in the code, and however they are put together")
    func found() throws {
        let house = try TemporaryDirectory()
        _ = try house.directory("Sources/House/Attic")
        let code = ##"""
            // "a comment says nothing"
            let words = "the \(things.first ?? "one (of two)") is " + "not there"
            let long = """
                a text of \(count(of: "all (lines)")) lines, \
                joined into one
                """
            let query = "SELECT all that there is"
            let queue = DispatchQueue(label: "a name for debuggers")
            let raw = #"the "\#(name)" is quoted"#
            """##
        try house.write(Array(code.utf8), to: "Sources/House/Attic/Attic.swift")
        let listed = try list(house.path)
        #expect(listed.status == 0)
        #expect(
            listed.output == """

                Attic
                  the <first> is not there
                  a text of <of> lines, joined into one
                  the "<name>" is quoted

                """
        )
    }
}
