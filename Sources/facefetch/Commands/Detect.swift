import ArgumentParser
import ControlAPI
import Vocabulary

/// The command `facefetch detect`, which looks for faces again.
struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Looks for faces again.",
        discussion: """
            The new result replaces the old one, which stands until then, and also if you cancel the job. A detector always looks, even where other files with \
            the same bytes have a result. For documents that are held, see "facefetch detection release".

            The engine is that of the daemon's settings unless one is named; yunet can be named where \
            there is a network for it ("facefetch model install").

            EXAMPLES
              facefetch detect j3
              facefetch detect --outcome unreadable
              facefetch detect --all --engine yunet
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    @Option(help: ArgumentHelp("The engine that looks: \(DetectionEngine.list).", valueName: "engine"))
    var engine: DetectionEngine?

    func run() throws {
        let body = engine.map { DetectRequest(engine: .known($0)).json }
        try selection.steer(.detect, client: try connection.client(), body: body)
    }
}
