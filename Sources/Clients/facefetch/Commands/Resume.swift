import ArgumentParser

/// The command `facefetch resume`, which resumes paused jobs.
struct Resume: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resumes paused jobs.",
        discussion: """
            A partial file is continued where the server proves that the file is still the same; \
            otherwise it is fetched again.
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    func run() throws {
        try selection.steer(.resume, client: try connection.client())
    }
}
