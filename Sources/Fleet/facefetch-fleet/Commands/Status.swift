import ArgumentParser
import Glibc

/// Shows how the fleet stands.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows nodes, their leases and jobs, and the queue.",
        discussion: """
            With --hosts, the hosts follow that have the most jobs that haven't ended: how many are queued, held by \
            nodes and paused, how many wait for their next try, for how long the oldest has been there, and what \
            became of others within ten minutes. It reads all that hasn't ended, some seconds for a million jobs.

            How long jobs took since they were added is told of those that ended within the last minute. One that was \
            tried again counts from its first addition.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Flag(help: "Also what each node does and has done, and why jobs failed there.")
    var nodes = false
    @Flag(help: "Also the hosts.")
    var hosts = false
    @Option(help: ArgumentHelp("How many hosts.", valueName: "number"))
    var limit = 20
    @Flag(help: "Again every two seconds, until it is stopped.")
    var watch = false
    @Flag(help: "Prints one line of JSON.")
    var json = false

    /// What makes a terminal begin at its top again.
    private static let clearing = "\u{1B}[H\u{1B}[J"

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is from 1 to 100000.") }
    }

    func run() throws {
        let queue = try config.queue()
        try show(queue)
        while watch {
            sleep(2)
            try show(queue)
        }
    }

    private func show(_ queue: FleetQueue) throws {
        let status = try asked { try queue.status(hosts: hosts ? limit : nil, work: nodes) }
        if watch, !json, isatty(STDOUT_FILENO) == 1 { try Output.bytes(Array(Self.clearing.utf8)) }
        for line in json ? [StatusPage.json(status)] : StatusPage.lines(status) { try Output.record(line) }
    }
}
