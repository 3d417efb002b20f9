import ArgumentParser

/// The command `facefetch cancel`, which ends jobs.
struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Ends jobs and removes their partial files.",
        discussion: """
            The document of a finished job is never touched. A job whose document is being looked at again is \
            done with its earlier result.
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    func run() throws {
        try selection.steer(.cancel, client: try connection.client())
    }
}
