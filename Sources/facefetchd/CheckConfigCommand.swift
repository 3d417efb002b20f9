import ArgumentParser
import Settings

/// `facefetchd check-config`: checks the settings and prints those in force.
struct CheckConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the settings, and print those in force with their sources.",
        discussion:
            "Ends with 0 when the settings are good, with 78 when they are not; each mistake has its line."
    )

    @OptionGroup var options: SettingsOptions

    func run() throws {
        do throws(StartFailure) {
            for setting in try options.load().effective {
                let value = setting.value.isEmpty ? "(none)" : setting.value
                print("\(setting.key): \(value)  # \(setting.source)")
            }
        } catch {
            StandardStream.error.write(error.description + "\n")
            throw ExitCode(error.status.rawValue)
        }
    }
}
