import ArgumentParser
import ControlAPI
import Vocabulary

/// The command `facefetch faces`, which lists what the detectors have found.
struct Faces: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Lists documents with the number of faces in each.",
        discussion: """
            EXAMPLES
              facefetch faces --min 2          group pictures
              facefetch faces --csv > faces.csv
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Only documents with at least this many faces.", valueName: "n"))
    var min = 0

    @Flag(help: "Prints JSON Lines, one job per line, with the boxes.")
    var json = false

    @Flag(help: "Prints comma-separated values (RFC 4180), with a heading.")
    var csv = false

    func validate() throws {
        if json, csv { throw ValidationError("Give either --json or --csv.") }
    }

    func run() throws {
        let output = Output()
        var table = Table(columns: [
            .init(title: "FACES", isNumeric: true), .init(title: "JOB"),
            .init(title: "DOCUMENT", isFlexible: true),
        ])
        if csv { output.raw(FaceCSV.heading) }
        // Whatever their state: those that are looked at again have the result of the first look.
        try connection.client().forEachPage([("faces_min", String(Swift.max(min, 0)))]) { page in
            for job in page {
                guard let count = job.detection?.faceCount, count >= min else { continue }
                if json {
                    try output.line(JSONLine.text(job))
                } else if csv {
                    let row = FaceCSV.row(job, count: count)
                    output.raw(output.isTerminal ? row.lineForTerminal : row)
                } else {
                    let name = (job.path ?? job.name).safeForTerminal
                    table.rows.append([String(count), "\(JobID(job.id))", name])
                }
            }
        }
        if !json, !csv {
            if table.rows.isEmpty { Output.note("There are no such documents.") }
            for line in table.rows.isEmpty ? [] : table.lines(width: nil) { try output.line(line) }
        }
        try output.flush()
    }
}
