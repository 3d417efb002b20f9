import ArgumentParser

/// Holds all that the fleet does.
struct Hold: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Stops nodes from beginning anything, including what is added later, until release. Prints how many jobs \
            they give up.
            """,
        discussion: """
            It takes the same time for ten jobs or ten million. Nodes give up within seconds what they hold; what they \
            were fetching begins again later. status says since when, and why. Given again, it keeps the reason unless \
            there is a new one.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Option(help: ArgumentHelp("Why, for those who look at the status.", valueName: "text"))
    var reason: String?
    @Flag(help: "Lets nodes finish what they hold.")
    var finish = false

    func run() throws {
        Output.line("\(try asked { try config.queue().hold(because: reason, finishes: finish) })")
    }
}

/// Lets the fleet go on.
struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lets nodes go on after hold.",
        discussion: "What is paused stays so: resume lets that go on."
    )

    @OptionGroup var config: ConfigOptions

    func run() throws {
        guard try asked({ try config.queue().release() }) else { return Output.note("Nothing was held.") }
    }
}
