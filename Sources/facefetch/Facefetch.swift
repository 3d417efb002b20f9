import ArgumentParser

/// The command `facefetch`, with its subcommands.
struct Facefetch: ParsableCommand {
    /// The client's version.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "facefetch",
        abstract: "Downloads images in the background and counts the faces in them.",
        discussion: """
            facefetch talks to facefetchd, the daemon that does the work: what you add goes on \
            when you log out, and across restarts.

            EXAMPLES
              facefetch add --wait URL         fetch it, wait, say how many faces
              facefetch add --from list.txt    add a list, a URL a line
              facefetch log -f                 follow what happens
              facefetch list --state failed    see what did not work out
              facefetch retry --all            try it again

            Jobs are named as j3 or 3, batches as b1 or 1. With --json every command prints \
            JSON Lines in the shapes of the control socket's API.

            THE SOCKET is looked for at --socket, then FACEFETCH_SOCKET, then \
            $XDG_RUNTIME_DIR/facefetch/control.sock if it is there, then /run/facefetch/control.sock.

            EXIT STATUS is 0 when done as asked, 1 when a job did not end well or there is no such \
            job, 2 for bad usage or a refused item, 3 when the daemon can't be reached.
            """,
        version: "facefetch \(version)",
        groupedSubcommands: [
            CommandGroup(
                name: "Adding and looking",
                subcommands: [
                    Add.self, List.self, Show.self, Faces.self, Log.self, Status.self, Watch.self,
                ]
            ),
            CommandGroup(
                name: "Steering",
                subcommands: [
                    Pause.self, Resume.self, Cancel.self, Retry.self, Detection.self, Detect.self,
                ]
            ),
        ]
    )

    @OptionGroup var connection: ConnectionOptions
}
