import ArgumentParser

/// The origin server as a program of its own, for demonstrations, benchmarks and tests of whole programs.
@main
struct TestOriginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-origin",
        abstract: "An HTTP server on loopback for tests.",
        subcommands: [ServeCommand.self],
        defaultSubcommand: ServeCommand.self
    )
}
