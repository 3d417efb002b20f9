import ArgumentParser
import FoundationEssentials
import Glibc

/// The options that say how to reach the daemon; every command has them.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp("The daemon's control socket.", valueName: "path"),
        completion: .file()
    )
    var socket: String?

    /// Where the socket is.
    ///
    /// - Throws: ``ClientError``
    func socketPath() throws(ClientError) -> String {
        try SocketPath.find(
            flag: socket,
            environment: ProcessInfo.processInfo.environment,
            exists: { access($0, F_OK) == 0 }
        )
    }

    /// A client for it.
    ///
    /// - Throws: ``ClientError``
    func client() throws(ClientError) -> ControlClient {
        try ControlClient(socketPath: try socketPath())
    }
}
