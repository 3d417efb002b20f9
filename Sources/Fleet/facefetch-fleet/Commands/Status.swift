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

            Figures of the last minute are of jobs that were done or failed, not of cancelled ones. A job that was \
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
    @Flag(
        help:
            "Again and again, until it is stopped: after two seconds, or after as long as the last time took."
    )
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
        while true {
            let took = try ContinuousClock().measure { try show(queue) }
            guard watch else { return }
            sleep(UInt32((Self.rest(after: took) / .seconds(1)).rounded(.up)))
        }
    }

    /// Returns the time until the next reading, so that the database rests as long as it reads.
    static func rest(after reading: Duration) -> Duration { max(.seconds(2), reading) }

    private func show(_ queue: FleetQueue) throws {
        let status = try asked { try queue.status(hosts: hosts ? limit : nil, work: nodes) }
        if watch, !json, isatty(STDOUT_FILENO) == 1 { try Output.bytes(Array(Self.clearing.utf8)) }
        for line in json ? [StatusPage.json(status)] : StatusPage.lines(status) { try Output.record(line) }
    }
}
