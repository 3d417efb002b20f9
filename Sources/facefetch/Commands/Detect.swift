import ArgumentParser
import FoundationEssentials

/// `facefetch detect`: looks for faces again.
struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Looks for faces again.",
        discussion: """
            The result so far is replaced. A detector looks, whatever is known of other files with the \
            same bytes. For documents that are held, see "facefetch detection release".

            The engine is that of the daemon's settings unless one is named; yunet can be named where \
            the setting detection.model gives its file.

            EXAMPLES
              facefetch detect j3
              facefetch detect --all --engine yunet
            """
    )

    /// The engines that the API knows.
    enum Engine: String, CaseIterable, ExpressibleByArgument {
        case haar, yunet
    }

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    @Option(help: ArgumentHelp("Who looks: haar or yunet.", valueName: "engine"))
    var engine: Engine?

    func run() throws {
        let body = try engine.map { Array(try JSONEncoder().encode(["engine": $0.rawValue])) }
        try selection.steer("detect", done: "Looking again at", client: try connection.client(), body: body)
    }
}
