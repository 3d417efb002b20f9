import ArgumentParser
import FoundationEssentials

/// The command `facefetch watch`, which shows a live view of the daemon.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows the daemon at work: active files, queue, last results.",
        discussion: """
            The view fits the window and leaves the terminal as it was. End it with q or Ctrl-C; the \
            daemon goes on. In a pipe use "facefetch log -f" or "facefetch status". Colours are left \
            out where NO_COLOR is set.
            """
    )

    @OptionGroup var connection: ConnectionOptions

    func run() throws {
        let output = Output()
        guard output.canRedraw else {
            throw ClientError.usage(
                "A live view needs a terminal that can move its cursor: use \"facefetch log -f\" here."
            )
        }
        let noColor = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        let end = try WatchSession(
            client: try connection.client(),
            output: output,
            isStyled: noColor.isEmpty
        ).run()
        guard end == .done else { throw end }
    }
}
