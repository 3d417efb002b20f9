import ArgumentParser

/// A filter for jobs that ended.
struct ExportFilter: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only jobs of this batch.", valueName: "batch"),
        completion: NameCompletion.batches,
        transform: BatchName.init(argument:)
    )
    var batch: BatchName?

    @Option(help: ArgumentHelp("Only jobs that this source has listed.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("Only pictures with at least this many faces.", valueName: "n"))
    var minFaces: Int?

    @Option(
        name: .customLong("match"),
        help: ArgumentHelp("Only jobs with this text in their name or URL.", valueName: "text")
    )
    var text: String?

    @Option(
        help: ArgumentHelp(
            "Only jobs that were added with this, such as album=holiday. May be repeated: all must hold.",
            valueName: "key=value"
        ),
        transform: MetaMember.init(argument:)
    )
    var meta: [MetaMember] = []

    @Option(help: ArgumentHelp("Only what ended after this number, the \"ended\" of a job.", valueName: "n"))
    var endedAfter: Int64?

    func validate() throws {
        if text?.isEmpty == true { throw ValidationError("--match needs a text to look for.") }
        if source?.isEmpty == true { throw ValidationError("--source needs a name.") }
        if let minFaces, minFaces < 0 { throw ValidationError("--min-faces is 0 or more.") }
        if let endedAfter, endedAfter < 0 { throw ValidationError("--ended-after is 0 or more.") }
    }

    /// True if it lets every job through, of those that ended after the number.
    var isOfAll: Bool { query.allSatisfy { $0.value == nil } }

    /// The query to the daemon.
    var query: [(name: String, value: String?)] {
        [
            ("batch", batch.map { String($0.id) }), ("source", source),
            ("faces_min", minFaces.map(String.init)),
            ("q", text),
        ] + meta.map { ("meta." + $0.key, $0.value) }
    }
}
