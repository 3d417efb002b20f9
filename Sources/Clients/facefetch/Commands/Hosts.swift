import ArgumentParser
import ControlAPI

/// The command `facefetch hosts`, which lists the hosts that files are still to be fetched from.
struct Hosts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hosts",
        abstract: "Lists the hosts that files are still to be fetched from, and what each waits for.",
        discussion: """
            A host that asked for a pause isn't asked again until that is over, or until --release: then one \
            request goes there, and once that is answered the others follow. One that asks for a browser needs a \
            browser's cookies; advice follows the list. Settings give single hosts a pace or \
            other limits: hosts, in facefetchd.yaml(5).

            EXAMPLES
              facefetch hosts
              facefetch hosts --json
              facefetch hosts --release example.org
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Prints JSON Lines, one host per line.")
    var json = false

    @Option(
        name: .customLong("release"),
        help: ArgumentHelp(
            "Asks this host before its time; without a port, all that wait under this name.",
            valueName: "host"
        )
    )
    var released: String?

    func run() throws {
        let output = Output()
        let client = try connection.client()
        var hosts: [HostJSON] = []
        try client.forEachPageOfHosts { hosts += $0 }
        if let released {
            hosts = hosts.filter { Self.isMeant($0, by: released) && $0.waiting != nil }
            guard !hosts.isEmpty else {
                throw ClientError.unsuccessful(
                    "No host \(released) waits; facefetch hosts lists those that do."
                )
            }
            hosts = try hosts.map { try client.releaseHost($0.host) }
        }
        if json {
            for host in hosts { try output.line(JSONLine.text(host)) }
        } else if released != nil {
            for host in hosts { try output.line("\(host.host) is asked again now: one request first.") }
        } else if hosts.isEmpty {
            Output.note("Nothing is to be fetched from any host.")
        } else {
            for line in ShownHosts.table(hosts).lines(width: output.width) { try output.line(line) }
            for line in ShownHosts.advice(hosts) { Output.note(line) }
        }
        try output.flush()
    }

    /// Returns whether a host is the one that was named, with its port or without.
    static func isMeant(_ host: HostJSON, by name: String) -> Bool {
        var name = name.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return host.host == name || host.host.lastIndex(of: ":").map { host.host[..<$0] == name } ?? false
    }
}
