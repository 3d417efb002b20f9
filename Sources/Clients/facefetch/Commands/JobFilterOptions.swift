import ArgumentParser
import ControlAPI
import Vocabulary

/// The options that select jobs by what is known of them.
struct JobFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only jobs in this state: \(JobState.list).", valueName: "state"))
    var state: JobState?

    @Option(
        help: ArgumentHelp("Only jobs of this batch.", valueName: "batch"),
        completion: NameCompletion.batches,
        transform: BatchName.init(argument:)
    )
    var batch: BatchName?

    @Option(
        name: .customLong("match"),
        help: ArgumentHelp("Only jobs with this text in their name or URL.", valueName: "text")
    )
    var text: String?

    @Option(
        help: ArgumentHelp("Only jobs of this source.", valueName: "name"),
        completion: NameCompletion.sources
    )
    var source: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Only jobs that were added with this, such as album=holiday. May be repeated: all must hold.",
            valueName: "key=value"
        ),
        transform: MetaMember.init(argument:)
    )
    var meta: [MetaMember] = []

    @Option(help: ArgumentHelp("Only documents with at least this many faces.", valueName: "n"))
    var minFaces: Int?

    @Option(
        help: ArgumentHelp(
            "Only documents that were looked at with this outcome: \(DetectionOutcome.list).",
            valueName: "outcome"
        )
    )
    var outcome: DetectionOutcome?

    func validate() throws {
        if text?.isEmpty == true { throw ValidationError("--match needs a text to look for.") }
        if source?.isEmpty == true { throw ValidationError("--source needs a name.") }
        if let minFaces, minFaces < 0 { throw ValidationError("--min-faces is 0 or more.") }
    }

    /// True if it lets every job through.
    var isEmpty: Bool { query.allSatisfy { $0.value == nil } }

    /// The batch, if nothing else narrows the jobs.
    var onlyBatch: BatchName? { query.count { $0.value != nil } == 1 ? batch : nil }

    /// The query parameters for the daemon.
    var query: [(name: String, value: String?)] {
        [
            ("state", state?.rawValue), ("batch", batch.map { String($0.id) }), ("source", source),
            ("faces_min", minFaces.map(String.init)), ("outcome", outcome?.rawValue), ("q", text),
        ] + meta.map { ("meta.\($0.key)", $0.value) }
    }

    /// Refuses a filter that lets nothing through since its batch or source doesn't exist.
    ///
    /// - Throws: the daemon's refusal.
    func refuseStrangers(_ client: ControlClient) throws {
        try client.refuseStrangers(batch: batch?.id, source: source)
    }
}
