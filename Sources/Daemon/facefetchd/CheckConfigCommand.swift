import ArgumentParser
import Children
import Glibc
import Logging
import Settings

/// The command `facefetchd check-config`, which checks the settings and prints those in force.
struct CheckConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the settings, and print those in force with their sources.",
        discussion: """
            Ends with 0 when the settings are good and with 78 when they are not; each mistake has a line \
            of its own. Page readers are tried as well, and the watched folder is looked for: the daemon works \
            without them, but no source is read, and no list is added.

            The settings are read as the daemon would read them: the file, then environment variables, \
            then flags. What the file says of single hosts comes last. The proxy is not a setting: transfers \
            go through the one that http_proxy, https_proxy or all_proxy names, except to the hosts in no_proxy.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Print a settings file with every setting, its meaning and its default, all commented out.")
    var printDefaults = false

    func run() async throws {
        guard !printDefaults else { return StandardStream.output.write(SettingsTable.commentedFile) }
        do throws(StartFailure) {
            let settings = try options.load()
            let notices = try settings.check()
            for setting in settings.effective + settings.hosts.effective {
                let value = setting.value.isEmpty ? "(none)" : setting.shown
                let remark = Self.remark(on: setting.key, settings.detection)
                print("\(setting.key): \(value)  # \(setting.source)\(remark)")
            }
            for notice in notices + Self.watchedFolder(settings.watch.directory) {
                StandardStream.error.write("warning: \(notice)\n")
            }
            if let problem = await Self.checkListers(settings) {
                StandardStream.error.write("warning: \(problem)\n")
            }
        } catch {
            StandardStream.error.write(error.description + "\n")
            throw ExitCode(error.status.rawValue)
        }
    }

    /// Returns the meaning of the word auto, and the file that was found where none is named.
    private static func remark(on key: String, _ detection: DaemonSettings.Detection) -> String {
        switch key {
        case "detection.engine": "; \(detection.looking) looks"
        case "detection.model": detection.found.map { "; \($0.name) was found: \($0.path)" } ?? ""
        default: ""
        }
    }

    /// Returns what is wrong with the watched folder, for which the daemon waits.
    private static func watchedFolder(_ directory: String?) -> [String] {
        guard let directory else { return [] }
        var status = stat()
        let number = stat(directory, &status) == 0 ? 0 : errno
        let problem: String
        switch number {
        case 0 where status.st_mode & S_IFMT == S_IFDIR: return []
        case 0: problem = "\(directory) is not a folder"
        case ENOENT: problem = "there is no folder \(directory)"
        default: problem = "\(directory) can't be used (\(String(cString: strerror(number))))"
        }
        return [
            "watch.directory: \(problem): nothing is added from there until there is one that can be used"
        ]
    }

    /// Returns what is wrong with page readers; what they say themselves goes to standard error.
    private static func checkListers(_ settings: DaemonSettings) async -> String? {
        let log = StandardErrorLog(journalStream: nil)
        let listers = ListerPool(
            configuration: settings.listerPool(executable: ProgramFile.likelyPath(of: .lister)),
            logger: Logger(label: "facefetchd") { _ in ServiceLogHandler(program: "facefetchd", log: log) }
        )
        let problem = await listers.check()
        await listers.stop()
        return problem
    }
}
