import ArgumentParser
import Settings

/// The command `facefetchd check-config`, which checks the settings and prints those in force.
struct CheckConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the settings, and print those in force with their sources.",
        discussion: """
            Ends with 0 when the settings are good and with 78 when they are not; each mistake has a line \
            of its own.

            The settings are read as the daemon would read them: the file, then environment variables, \
            then flags. The proxy is not a setting: transfers go through the one that http_proxy, \
            https_proxy or all_proxy names, except to the hosts in no_proxy.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Print a settings file with every setting, its meaning and its default, all commented out.")
    var printDefaults = false

    func run() throws {
        guard !printDefaults else { return StandardStream.output.write(SettingsTable.commentedFile) }
        do throws(StartFailure) {
            let settings = try options.loadChecked()
            for setting in settings.effective {
                let value = setting.value.isEmpty ? "(none)" : setting.shown
                // What the word auto comes to.
                let looking = setting.key == "detection.engine" ? "; \(settings.detection.looking) looks" : ""
                print("\(setting.key): \(value)  # \(setting.source)\(looking)")
            }
        } catch {
            StandardStream.error.write(error.description + "\n")
            throw ExitCode(error.status.rawValue)
        }
    }
}
