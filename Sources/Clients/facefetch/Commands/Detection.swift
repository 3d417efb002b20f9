import ArgumentParser
import ControlAPI

/// The command `facefetch detection`, which controls the gate between documents and detectors.
struct Detection: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detection",
        abstract: "Holds or releases face detection.",
        discussion: """
            While it is held, files are fetched and stored as usual and then wait; once it is \
            released they are looked at in order. A hold outlives a restart of the daemon.
            """,
        subcommands: [Hold.self, Release.self]
    )

    /// The command `facefetch detection hold`, which makes documents wait.
    struct Hold: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hold",
            abstract: "Makes documents wait."
        )

        @OptionGroup var connection: ConnectionOptions

        func run() throws { try Detection.set(.hold, connection) }
    }

    /// The command `facefetch detection release`, which lets documents be looked at.
    struct Release: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "release",
            abstract: "Looks for faces in the documents that wait, and as more arrive."
        )

        @OptionGroup var connection: ConnectionOptions

        func run() throws { try Detection.set(.release, connection) }
    }

    private static func set(_ action: GateJSON.Action, _ connection: ConnectionOptions) throws {
        let gate = try connection.client().setGate(action).gate
        let output = Output()
        try output.line("Face detection is \(gate.text.safeForTerminal).")
        try output.flush()
    }
}
