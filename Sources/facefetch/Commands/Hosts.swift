import ArgumentParser
import ControlAPI

/// The command `facefetch hosts`, which lists the hosts that files are still to be fetched from.
struct Hosts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hosts",
        abstract: "Lists the hosts that files are still to be fetched from, and what each waits for.",
        discussion: """
            A host that asked for a pause isn't asked again until that is over. Settings give single hosts a pace \
            or other limits: hosts, in facefetchd.yaml(5).

            EXAMPLES
              facefetch hosts
              facefetch hosts --json
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Prints JSON Lines, one host per line.")
    var json = false

    func run() throws {
        let output = Output()
        var hosts: [HostJSON] = []
        try connection.client().forEachPageOfHosts { hosts += $0 }
        if json {
            for host in hosts { try output.line(JSONLine.text(host)) }
        } else if hosts.isEmpty {
            Output.note("Nothing is to be fetched from any host.")
        } else {
            for line in HostTable.table(hosts).lines(width: output.width) { try output.line(line) }
        }
        try output.flush()
    }
}
