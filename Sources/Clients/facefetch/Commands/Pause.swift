import ArgumentParser

/// The command `facefetch pause`, which pauses jobs.
struct Pause: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pauses jobs, keeping what has been fetched.",
        discussion: """
            A paused job stays paused, even across restarts, until "facefetch resume".
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    func run() throws {
        try selection.steer(.pause, client: try connection.client())
    }
}
