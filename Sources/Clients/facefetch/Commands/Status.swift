import ArgumentParser
import ControlAPI

/// The command `facefetch status`, which shows the daemon's state.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the daemon's state: jobs, transfers, detection, free space."
    )

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Prints one line of JSON.")
    var json = false

    func run() throws {
        let output = Output()
        let client = try connection.client()
        let status = try client.status()
        if json {
            try output.line(JSONLine.text(status))
        } else {
            for line in StatusPage.lines(status, socketPath: client.socketPath) { try output.line(line) }
        }
        try output.flush()
    }
}
