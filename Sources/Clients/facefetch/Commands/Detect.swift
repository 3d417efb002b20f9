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

            With --fingerprints-only nobody looks for faces, and results stay as they are: pictures without a \
            fingerprint get theirs, by which "facefetch duplicates" finds copies. That can be interrupted, and \
            goes on where it was when it is given again.

            EXAMPLES
              facefetch detect j3
              facefetch detect --outcome unreadable
              facefetch detect --all --engine yunet
              facefetch detect --all --fingerprints-only
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    @Option(help: ArgumentHelp("The engine that looks: \(DetectionEngine.list).", valueName: "engine"))
    var engine: DetectionEngine?

    @Flag(help: "Only makes the fingerprints of documents that have none.")
    var fingerprintsOnly = false

    func validate() throws {
        if fingerprintsOnly, engine != nil {
            throw ValidationError("No engine looks with --fingerprints-only: leave --engine out.")
        }
    }

    func run() throws {
        if fingerprintsOnly { return try makeFingerprints() }
        let body = engine.map { DetectRequest(engine: .known($0)).json }
        try selection.steer(.detect, client: try connection.client(), body: body)
    }

    private func makeFingerprints() throws {
        let client = try connection.client()
        var run = FingerprintRun(client: client)
        if selection.jobs.isEmpty {
            try selection.filter.refuseStrangers(client)
            try run.make(selection.filter.query)
        } else {
            for job in selection.jobs { try run.make(for: job.id) }
        }
        let output = Output()
        try output.line(run.sentence)
        try output.flush()
        if let worst = run.worst { throw worst }
    }
}
