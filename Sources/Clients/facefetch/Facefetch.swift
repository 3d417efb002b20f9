import ArgumentParser
import ControlAPI

/// The command `facefetch`, with its subcommands.
struct Facefetch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetch",
        abstract: "Downloads images in the background and counts the faces in them.",
        discussion: """
            facefetch talks to facefetchd, the daemon that does the work: it goes on when you log out, \
            and across restarts.

            Jobs are named as j3 or 3, batches as b1 or 1. With --json commands print \
            JSON Lines in the shapes of the control socket's API.

            EXAMPLES
              facefetch add --wait URL         fetch it, wait, say how many faces
              facefetch add --from list.txt    add a list, one URL per line
              facefetch log -f                 follow what happens
              facefetch list --state failed    see what did not work out
              facefetch retry --all            try it again
              facefetch doctor                 see whether all is well

            FILES
              $XDG_RUNTIME_DIR/facefetch/control.sock  your own daemon, if it is there
              /run/facefetch/control.sock              otherwise the system's daemon

            ENVIRONMENT
              FACEFETCH_SOCKET  the control socket; --socket takes precedence
              XDG_RUNTIME_DIR   where your own daemon is looked for; cron doesn't set it
              NO_COLOR          no colours, if it is set to anything
              TERM              no live views, if it is dumb

            EXIT STATUS
              0  done as asked
              1  a job did not end well, or there is no such job
              2  bad usage, or a refused item
              3  the daemon can't be reached
            """,
        version: "facefetch \(ProductVersion.current)",
        groupedSubcommands: [
            CommandGroup(
                name: "Adding and looking",
                subcommands: [
                    Add.self, Wait.self, Source.self, List.self, Batches.self, Hosts.self, Show.self,
                    Faces.self,
                    Log.self,
                    Status.self, Doctor.self, Watch.self, Gallery.self, Export.self, Copies.self,
                    Duplicates.self, On.self,
                ]
            ),
            CommandGroup(
                name: "Steering",
                subcommands: [
                    Pause.self, Resume.self, Cancel.self, Retry.self, Detection.self, Detect.self,
                    Pin.self, Unpin.self, Forget.self,
                ]
            ),
            CommandGroup(name: "Finding more faces", subcommands: [Model.self]),
        ]
    )

    @OptionGroup var connection: ConnectionOptions
}
