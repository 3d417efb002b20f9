import ArgumentParser

/// The command `facefetch pin`, which keeps documents.
struct Pin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keeps documents that could be removed to make room.",
        discussion: """
            Documents of sources with "keep: evictable" are removed, those served least recently first, when they \
            take more room than documents.maximum-size. A pinned one stays, until "facefetch unpin".
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    func run() throws {
        try selection.steer(.pin, client: try connection.client())
    }
}

/// The command `facefetch unpin`, which no longer keeps documents.
struct Unpin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Lets pinned documents be removed to make room."
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    func run() throws {
        try selection.steer(.unpin, client: try connection.client())
    }
}
