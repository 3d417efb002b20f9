import ControlAPI
import Vocabulary

/// The outcome of batches, for people who looked elsewhere meanwhile.
struct BatchOutcome: Hashable {
    /// The number of files.
    private(set) var files: Int
    /// The number of files that are done.
    private(set) var done: Int
    /// The number of faces in them.
    private(set) var faces: Int
    /// The first file that did not end well, and why.
    private(set) var firstBad: String?
    /// The batches, as people name them.
    private var batches: [Int64]

    /// Creates the outcome of a batch from its jobs, all of which have ended.
    init(batch: Int64, _ jobs: [JobJSON]) {
        batches = [batch]
        files = jobs.count
        done = jobs.count { $0.state == .done }
        faces = jobs.reduce(0) { $0.addingReportingOverflow($1.detection?.faceCount ?? 0).partialValue }
        firstBad = jobs.first { $0.state != .done }
            .map { "\"\($0.name.cutInMiddle(to: 60))\": \($0.error?.code ?? $0.state.text)" }
    }

    /// Adds the outcome of another batch of the same command.
    mutating func add(_ other: BatchOutcome) {
        batches += other.batches
        (files, done) = (files + other.files, done + other.done)
        faces = faces.addingReportingOverflow(other.faces).partialValue
        firstBad = firstBad ?? other.firstBad
    }

    /// A summary of what has ended, in one line without anything that a stranger has written.
    var summary: String {
        let first = batches.first.map { "Batch \(BatchID($0))" } ?? "Nothing"
        let others = batches.count > 1 ? " and \(Quantities.grouped(batches.count - 1)) more" : ""
        return "\(first)\(others) ended: \(Quantities.count(files, "file"))"
    }

    /// Details of the outcome.
    var details: String {
        let good = "\(Quantities.grouped(done)) done, with \(Quantities.count(faces, "face"))"
        guard done < files else { return good }
        return good + "; \(Quantities.grouped(files - done)) did not end well, first \(firstBad ?? "")"
    }
}
