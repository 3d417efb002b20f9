import ArgumentParser
import ControlAPI
import Vocabulary

/// The command `facefetch duplicates`, which lists documents that look alike.
struct Duplicates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "Lists groups of documents that look alike.",
        discussion: """
            Copies of a picture that differ in size, quality or format have nearly the same fingerprint \
            (detection.fingerprint of a job): of 64 bits at most about 6 differ. A group has the documents of \
            which each is like another one of the group, so the first and the last can differ more. Documents \
            with the same bytes are alike whatever they are. The largest group comes first. Nothing is removed.

            Pictures without a fingerprint get theirs by "facefetch detect --fingerprints-only --all".

            From a distance of about 10 on, pictures are taken for alike that aren't. A large distance among very \
            many documents is refused, since all would have to be compared.

            EXAMPLES
              facefetch duplicates
              facefetch duplicates --distance 2 --source museum
              facefetch duplicates --json | jq -r '.jobs[1:][].path'
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "The most bits in which fingerprints may differ, at most \(Fingerprint.distances.upperBound).",
            valueName: "n"
        )
    )
    var distance = Fingerprint.usualDistance

    @OptionGroup(title: "Which documents") var filter: ExportFilter

    @Flag(help: "Prints JSON Lines, one group per line, with its size and its jobs.")
    var json = false

    func validate() throws {
        guard Fingerprint.distances.contains(distance) else {
            throw ValidationError("--distance is 0 to \(Fingerprint.distances.upperBound).")
        }
    }

    func run() throws {
        let output = Output()
        var list = DuplicatesList(output: output, isJSON: json)
        let client = try connection.client()
        try client.forEachPageOfDuplicates(
            [("distance", String(distance)), ("ended_after", filter.endedAfter.map(String.init))]
                + filter.query
        ) { page in
            for document in page { try list.add(document) }
            // A group can be larger than memory.
            try output.flush()
        }
        if list.isEmpty {
            try client.refuseStrangers(batch: filter.batch?.id, source: filter.source)
            if !json { Output.note("No documents are alike.") }
        }
        try list.end()
        try output.flush()
    }
}
