import ArgumentParser
import DetectorProtocol
import Vocabulary

/// The command `facefetch model`, which gets networks for the engine yunet.
struct Model: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Gets the neural network that finds more faces.",
        subcommands: [Install.self]
    )
}

extension Model {
    /// The command `facefetch model install`.
    struct Install: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Fetches a network for YuNet, and puts it where it is found.",
            discussion: """
                YuNet is a small neural network that finds more faces, and smaller ones, than OpenCV's cascade, and \
                invents less. It comes with no package of facefetch. Once its file is there, \
                facefetch-detector uses it by itself, and so does the daemon after a reload, unless its \
                settings say otherwise (detection.engine).

                NETWORKS
                \(FaceNetwork.all.map(Self.line).joined(separator: "\n"))

                \(FaceNetwork.recommended.name) is fetched unless another one is named. What was fetched is \
                installed only if it has exactly that network's SHA-256, whoever sent it; \
                facefetch-detector(1) has addresses and sums.

                FILES
                  \(NetworkFolders.machine)  for all users, if root installs it
                  $XDG_DATA_HOME/facefetch/models     for you and your own daemon, otherwise

                EXAMPLES
                  sudo facefetch model install && sudo systemctl reload facefetchd
                  facefetch model install && systemctl --user reload facefetchd
                  facefetch model install --file \(FaceNetwork.recommended.file)
                """
        )

        @Argument(
            help: ArgumentHelp("The network: \(names(" or ")).", valueName: "network"),
            completion: .list(FaceNetwork.all.map(\.name))
        )
        var network: String?

        @Option(
            help: ArgumentHelp("Install this file instead of fetching one.", valueName: "file"),
            completion: .file()
        )
        var file: String?

        @Option(
            name: .customLong("to"),
            help: ArgumentHelp("The folder to put it into.", valueName: "dir"),
            completion: .directory
        )
        var folder: String?

        @Option(help: ArgumentHelp("Fetch it from this address, a mirror for example.", valueName: "url"))
        var url: String?

        func validate() throws {
            if let network, !FaceNetwork.all.contains(where: { $0.name == network }) {
                throw ValidationError("There is no network \"\(network)\"; give \(Self.names(" or ")).")
            }
            if file != nil, url != nil { throw ValidationError("Give either --file or --url.") }
            if let folder, folder.isEmpty { throw ValidationError("--to needs a folder.") }
            if let url, URLParts(url).httpScheme == nil {
                throw ValidationError("--url is an address that begins with https:// or http://.")
            }
        }

        func run() throws {
            let named = FaceNetwork.all.first { $0.name == network }
            let installation = try NetworkInstallation(folder: folder)
            let output = Output()
            let installed: NetworkInstallation.Installed
            if let file {
                installed = try installation.install(file: file, as: named)
            } else {
                installed = try installation.install(named ?? .recommended, from: url)
            }
            for line in installed.lines { try output.line(line.safeForTerminal) }
            try output.flush()
        }

        private static func names(_ separator: String) -> String {
            FaceNetwork.all.map(\.name).joined(separator: separator)
        }

        private static func line(_ network: FaceNetwork) -> String {
            "  \(network.name)  \(network.about) (\(network.licence))"
        }
    }
}
