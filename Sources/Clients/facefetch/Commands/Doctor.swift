import ArgumentParser
import CLinux
import ControlAPI
import Glibc

/// The command `facefetch doctor`, which says what keeps work from being done, and what to do about it.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks whether all is well, and says what to do where it isn't.",
        discussion: """
            It looks at the daemon and its version, what you may do, the disk and its reserve, the face detector, \
            the proxy, the clock, sources that are stuck, and what holds work up. A line that begins with PROBLEM \
            needs somebody; it ends with 1 then, with 0 if there is none, and with 3 if the daemon can't be \
            reached, such as where somebody has removed its socket.
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Prints JSON Lines: one for each thing that was looked at.")
    var json = false

    func run() throws {
        let client = try connection.client()
        let status = try client.status()
        let sources = Result { try client.sources() }
        let findings = Examination(
            status: status,
            sources: (try? sources.get()) ?? [],
            obstacleToSources: Self.obstacle(sources),
            socketPath: client.socketPath.safeForTerminal,
            clientVersion: ProductVersion.current,
            clock: Self.clock
        ).findings
        let output = Output()
        for finding in findings {
            if json {
                try output.line(JSONLine.text(finding))
            } else {
                for line in finding.lines { try output.line(line.safeForTerminal) }
            }
        }
        try output.flush()
        if findings.contains(where: { $0.verdict == .known(.trouble) }) { throw ExitStatus.unsuccessful }
    }

    /// Returns what keeps the sources from being looked at; nil if nothing does.
    private static func obstacle(_ sources: Result<[SourceJSON], any Error>) -> String? {
        guard case .failure(let error) = sources else { return nil }
        return (error as? ClientError)?.message ?? "the daemon has refused"
    }

    /// The state of this machine's clock.
    private static var clock: Examination.Clock {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let synchronized = CLinux_clock_is_synchronized()
        return Examination.Clock(
            year: Int(parts.tm_year) + 1900,
            isSynchronized: synchronized < 0 ? nil : synchronized > 0
        )
    }
}
