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

            Exit status: 0 stopped as asked; 2 bad usage; 72 the face detector is missing; 73 a path can't be written; 74 the disk \
            failed; 75 another daemon uses the state directory; 78 bad settings.
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
