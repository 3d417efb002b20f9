import ControlAPI
import Vocabulary

/// Writes groups of documents as they come, however large one is.
struct DuplicatesList {
    private let output: Output
    private let isJSON: Bool
    /// The group that is being written, from 1; nil before the first.
    private var group: Int?
    /// True if nothing has been added to it yet.
    private var isFirst = true

    init(output: Output, isJSON: Bool) {
        self.output = output
        self.isJSON = isJSON
    }

    /// True if nothing was added.
    var isEmpty: Bool { group == nil }

    /// Adds the next document.
    mutating func add(_ document: AlikeJSON) throws(ClientError) {
        if document.group != group || group == nil { try begin(document) }
        if isJSON {
            output.raw((isFirst ? "" : ",") + JSONLine.text(document.job))
        } else {
            try output.line("  " + Self.line(document.job))
        }
        isFirst = false
    }

    /// Ends the last group.
    mutating func end() throws(ClientError) {
        if isJSON, group != nil { try output.line("]}") }
    }

    private mutating func begin(_ document: AlikeJSON) throws(ClientError) {
        let size = document.groupSize ?? 0
        if isJSON {
            try end()
            output.raw("{\"size\":\(size),\"jobs\":[")
        } else {
            if group != nil { try output.line("") }
            try output.line("\(Quantities.grouped(size)) alike")
        }
        group = document.group ?? 0
        isFirst = true
    }

    private static func line(_ job: JobJSON) -> String {
        let size = job.detection.flatMap { detection in
            detection.width.flatMap { width in detection.height.map { "\(width)×\($0)" } }
        }
        let parts = ["\(JobID(job.id))", size, Quantities.bytes(job.bytes), job.path ?? job.name]
        return parts.compactMap(\.self).joined(separator: "  ").safeForTerminal
    }
}
