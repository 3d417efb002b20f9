import Testing

@testable import facefetch

@Suite("Unknown commands")
struct CommandSuggestionTests {
    @Test(
        "The nearest command is suggested for a slip",
        arguments: [
            ("lst", "list"), ("lits", "list"), ("statsu", "status"), ("ad", "add"), ("puase", "pause"),
            ("cancle", "cancel"), ("logs", "log"), ("detecion", "detection"),
        ]
    )
    func slips(word: String, name: String) {
        #expect(CommandSuggestion.complaint(about: [word])?.contains("\"facefetch \(name)\"?") == true)
    }

    @Test("A word that is far from all gets the list of commands")
    func far() {
        #expect(CommandSuggestion.complaint(about: ["frobnicate"])?.contains("facefetch --help") == true)
    }

    @Test("What there is no help for is a slip, too")
    func help() {
        #expect(CommandSuggestion.complaint(about: ["help", "nosuch"])?.contains("no command") == true)
        #expect(
            CommandSuggestion.complaint(about: ["help", "source", "ad"])?.contains(
                "\"facefetch source add\"?"
            )
                == true
        )
        #expect(CommandSuggestion.complaint(about: ["help"]) == nil)
        #expect(CommandSuggestion.complaint(about: ["help", "list"]) == nil)
    }

    @Test("The socket's path is not taken for a command, and options alone are no complaint")
    func socket() {
        #expect(CommandSuggestion.complaint(about: ["--socket", "lst", "list"]) == nil)
        #expect(CommandSuggestion.complaint(about: ["--socket=/x", "help", "list"]) == nil)
        #expect(CommandSuggestion.complaint(about: ["--version"]) == nil)
        #expect(CommandSuggestion.complaint(about: ["--generate-completion-script", "bash"]) == nil)
        #expect(CommandSuggestion.complaint(about: ["add", "lst"]) == nil)
        #expect(CommandSuggestion.complaint(about: []) == nil)
    }

    @Test("Distances count insertions, removals, changes and swaps")
    func distances() {
        #expect(CommandSuggestion.editDistance("", "abc") == 3)
        #expect(CommandSuggestion.editDistance("abc", "abc") == 0)
        #expect(CommandSuggestion.editDistance("abc", "acb") == 1)
        #expect(CommandSuggestion.editDistance("kitten", "sitting") == 3)
    }
}
