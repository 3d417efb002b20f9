import ArgumentParser
import ControlAPI

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

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    @Option(help: ArgumentHelp("Who looks: \(DetectionJSON.Engine.list).", valueName: "engine"))
    var engine: DetectionJSON.Engine?

    func run() throws {
        let body = engine.map { DetectRequest(engine: .known($0)).json }
        try selection.steer(.detect, done: "Looking again at", client: try connection.client(), body: body)
    }
}
