import ArgumentParser

/// `facefetch resume`: lets paused jobs go on.
struct Resume: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lets paused jobs go on.",
        discussion: """
            A partly fetched file goes on from its last byte where the server proves it is the same.
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    func run() throws {
        try selection.steer(.resume, done: "Resumed", client: try connection.client())
    }
}
