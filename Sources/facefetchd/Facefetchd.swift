import ArgumentParser
import Glibc
import Settings

/// `facefetchd`: downloads pictures in the background and counts the faces in them.
@main
struct Facefetchd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetchd",
        abstract: "Downloads pictures in the background and counts the faces in them.",
        discussion: """
            Runs in the foreground until SIGTERM or SIGINT, and then ends within 5 seconds; \
            unfinished downloads go on at the next start. Jobs are added and watched with \
            "facefetch", or by any program through the control socket.

            Without flags, a service uses /var/lib/facefetch, /run/facefetch and \
            /var/log/facefetch; started by a person, it keeps its state under ~/.local/state/facefetch \
            and the documents in the folder facefetch of the documents directory (XDG).

            Settings come from facefetchd.yaml (/etc/facefetch, or ~/.config/facefetch for a person), \
            then from the environment (FACEFETCH_TRANSFER_PER_HOST for transfer.per-host), then from \
            flags; "facefetchd check-config" shows them, and with --print-defaults what each means. \
            SIGHUP has the daemon read them again, apply what it can without a restart and say what \
            it can't, and open the event log anew. Transfers go through the proxy that http_proxy, \
            https_proxy or all_proxy name; then denied networks can't be told from others.

            Exit status: 0 stopped as asked; 2 bad usage; 72 the face detector is missing; 73 a path can't be written; 74 the disk \
            failed; 75 another daemon uses the state directory, or a part took too long to start; \
            78 bad settings, or a job store of a newer version.
            """,
        version: "facefetchd \(DaemonSettings.productVersion)",
        subcommands: [RunCommand.self, CheckConfigCommand.self],
        defaultSubcommand: RunCommand.self
    )

    /// As ArgumentParser's own, but bad usage ends with 2, not with sysexits' 64.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let status = exitCode(for: error)
            let text = fullMessage(for: error)
            let stream = status.isSuccess ? StandardStream.output : .error
            if !text.isEmpty { stream.write(text + "\n") }
            Glibc.exit(status == .validationFailure ? 2 : status.rawValue)
        }
    }
}
