import ArgumentParser
import DetectorProtocol
import Foundation
import Settings

/// The flags for paths.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The settings file, in YAML.", valueName: "file"), completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp("Where jobs and unfinished files are kept.", valueName: "dir"),
        completion: .directory
    )
    var stateDir: String?

    @Option(help: ArgumentHelp("Where finished files go.", valueName: "dir"), completion: .directory)
    var documentsDir: String?

    @Option(help: ArgumentHelp("The control socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp("The file that events are logged to.", valueName: "file"),
        completion: .file()
    )
    var eventLog: String?

    /// Looks for a network's file in the folders for that.
    private static func findModel() -> DaemonSettings.Detection.FoundModel? {
        FoundNetwork.find(in: NetworkFolders.all()).map {
            .init(path: $0.path, name: $0.network.name)
        }
    }

    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Loads the settings from these flags, the environment and the file.
    func load() throws(StartFailure) -> DaemonSettings {
        let flags = SettingsFlags(
            stateDirectory: stateDir,
            documentsDirectory: documentsDir,
            socket: socket,
            eventLog: eventLog
        )
        do {
            return try DaemonSettings.load(
                flags: flags,
                environment: Self.environment,
                configFile: config,
                findModel: Self.findModel
            )
        } catch {
            throw StartFailure(status: .badSettings, description: error.description)
        }
    }
}
