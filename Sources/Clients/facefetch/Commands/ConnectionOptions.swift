import ArgumentParser
import FoundationEssentials
import Glibc

/// The options for reaching the daemon, which every command has.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp("The daemon's control socket.", valueName: "path"),
        completion: .file()
    )
    var socket: String?

    /// Returns the path of the socket.
    func socketPath() throws(ClientError) -> String {
        try SocketPath.find(
            flag: socket,
            environment: ProcessInfo.processInfo.environment,
            exists: { access($0, F_OK) == 0 }
        )
    }

    /// Returns a client for the socket.
    func client() throws(ClientError) -> ControlClient {
        try ControlClient(socketPath: try socketPath())
    }
}
