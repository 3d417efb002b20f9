import ArgumentParser
import Glibc
import TestSupport

/// Serves a directory until it is told to stop.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a directory until SIGTERM or SIGINT."
    )

    @Option(help: "The directory whose files are served.")
    var directory: String

    @Option(help: "The port to listen at on 127.0.0.1; 0 takes any that is free.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("Bytes a second for each connection.", valueName: "bytes"))
    var rate: Int?

    func run() throws {
        // Blocked before any thread is made, so that only the wait below takes them.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let origin = try Origin.start(port: port)
        let files = OriginDirectory(root: directory, bytesPerSecond: rate)
        origin.serveOthers { files.answer(to: $0) }
        print("listening on http://\(origin.address):\(origin.port)")
        fflush(nil)

        var signal: Int32 = 0
        sigwait(&signals, &signal)
        origin.stop()
    }
}
