import ArgumentParser
import ControlAPI
import Dispatch
import Glibc
import Settings
import SmallFiles

/// The command `facefetchd`, which downloads pictures in the background and counts the faces in them.
@main
struct Facefetchd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetchd",
        abstract: "Downloads pictures in the background and counts the faces in them.",
        discussion: """
            Runs in the foreground until SIGTERM or SIGINT and then ends within 5 seconds; \
            unfinished downloads continue at the next start. Jobs are added and watched with \
            "facefetch", or by any program through the control socket.

            Settings come from a file in YAML, from the environment and from flags; see \
            facefetchd.yaml(5), and "facefetchd check-config" for what is in force. SIGHUP has them read again: \
            those that take a restart are named, and bad ones change nothing. Through a proxy, denied networks \
            are known only by addresses in URLs.

            FILES
              /etc/facefetch/facefetchd.yaml       settings of the service
              /var/lib/facefetch                   its store, unfinished files, documents
              /run/facefetch/control.sock          its control socket
              /var/log/facefetch/events.log        its event log
              /var/cache/facefetch                 pictures for the gallery; may be deleted
              ~/.config/facefetch/facefetchd.yaml  settings of a person's daemon
              ~/.local/state/facefetch             its store, unfinished files, event log
              ~/.cache/facefetch                   pictures for the gallery; may be deleted
              $XDG_RUNTIME_DIR/facefetch           its control socket, or beside its store
              ~/Documents/facefetch                its documents (XDG_DOCUMENTS_DIR)

            SIGNALS
              SIGTERM, SIGINT  stops gracefully; a second one stops at once
              SIGHUP           reads the settings again, and reopens the event log

            ENVIRONMENT
              FACEFETCH_TRANSFER_PER_HOST         transfer.per-host, and so on
              http_proxy, https_proxy, all_proxy  the proxy that transfers go through
              no_proxy                            the hosts that are asked without it

            EXIT STATUS
              0   stopped as asked
              2   bad usage
              72  the face detector is missing
              73  a path can't be written
              74  the disk failed
              75  another daemon uses the state directory, or a part took too long to start
              78  bad settings, a job store of another version, or too few open files (128)
            """,
        version: "facefetchd \(ProductVersion.current)",
        subcommands: [
            RunCommand.self, CheckConfigCommand.self, SettingsTableCommand.self, APIDocumentCommand.self,
        ],
        defaultSubcommand: RunCommand.self
    )

    // The flags of the default command, so that the help names them.
    @OptionGroup var options: SettingsOptions

    static func main() {
        // This must precede the start of libdispatch's timer thread, whose priority it tries to raise,
        // complaining each time that it may not. A user's own setting of the variable is respected.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        Task.detached { await runToEnd() }
        dispatchMain()
    }

    /// Replaces ArgumentParser's own `main()`, so that wrong usage exits with 2 instead of sysexits' 64.
    private static func runToEnd() async -> Never {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            Glibc.exit(0)
        } catch {
            let status = exitCode(for: error)
            let text = fullMessage(for: error)
            guard status != .validationFailure else {
                StandardStream.error.write(complaint(message(for: error), full: text) + "\n")
                Glibc.exit(2)
            }
            let stream = status.isSuccess ? StandardStream.output : .error
            if !text.isEmpty { stream.write(text + "\n") }
            Glibc.exit(status.rawValue)
        }
    }

    /// Returns what is wrong with the command line in one line, with a pointer to the help that ArgumentParser
    /// names last; the default command is not one that people name.
    private static func complaint(_ message: String, full: String) -> String {
        let pointer = full.split(separator: "\n").last { $0.contains("See '") }
        let command = pointer?.split(separator: "'").dropFirst().first ?? "facefetchd --help"
        let help = command.replacing("facefetchd run ", with: "facefetchd ")
        let words = message.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        let end = words.last.map { ".!?".contains($0) } ?? true ? "" : "."
        return "facefetchd: \(words)\(end) See \"\(help)\"."
    }
}

/// A stream on which the program talks to whoever started it.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes a text, or as much of it as is accepted.
    func write(_ text: String) { try? WholeFile.write(Array(text.utf8), to: rawValue) }
}
