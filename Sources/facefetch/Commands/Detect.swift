import ArgumentParser

/// `facefetch detect`: looks for faces again.
struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Looks for faces again.",
        discussion: """
            The result so far is replaced. For documents that are held, see "facefetch detection release".
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    func run() throws {
        try selection.steer("detect", done: "Looking again at", client: try connection.client())
    }
}
