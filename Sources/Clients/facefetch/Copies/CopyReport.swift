import DetectorProtocol
import ExportFormats
import Glibc
import Vocabulary

/// The report on copies for people: how far they are, what could not be made, and what to look at.
final class CopyReport {
    private let kind: CopyKind
    private let output = Output()
    private let isShown = isatty(STDERR_FILENO) == 1
    private let begin = ContinuousClock.now
    private var lastShown = ContinuousClock.now
    private var isLineThere = false
    private var total: Int?
    private var pictures = 0
    private var made = 0
    private var kept = 0
    private var faces = 0
    private var doubtful = 0
    private var withoutFaces = 0
    private var surplus = 0
    /// The number of pictures that could not be copied.
    private(set) var failures = 0

    init(_ kind: CopyKind) { self.kind = kind }

    /// Sets the number of jobs, as the first page says; nil if it doesn't.
    func expect(_ jobs: Int?) { total = total ?? jobs }

    /// Reports that one of those is not to be copied.
    func skip() { total = total.map { $0 - 1 } }

    /// Reports that a crop of an earlier run shows none of the faces that are known now.
    func note(surplus name: String) {
        surplus += 1
        wipe()
        Output.note(
            "\"\(name.safeForTerminal)\" is of an earlier run, and of no face that is known now; it is left as it is."
        )
    }

    /// A picture has nothing to copy.
    func pass() {
        withoutFaces += 1
        show()
    }

    /// A picture is copied.
    func add(_ job: ExportedJob, _ answer: CopyResponse) throws {
        pictures += 1
        made += answer.made
        kept += answer.kept
        faces += answer.faceCount ?? 0
        if !answer.doubtful.isEmpty, let file = answer.file {
            doubtful += answer.doubtful.count
            let list = answer.doubtful.map { face in
                "\(Quantities.fixed(face.confidence, digits: 2)) at \(face.x),\(face.y) "
                    + "(\(face.width)x\(face.height))"
            }
            wipe()
            try output.line(
                "\(file.safeForTerminal): \(Quantities.count(list.count, "face")) of low confidence: "
                    + list.joined(separator: ", ")
            )
            try output.flush()
        }
        show()
    }

    /// A picture can't be copied, and why.
    func fail(_ job: ExportedJob, _ reason: String) throws {
        failures += 1
        wipe()
        let name = job.name.safeForTerminal
        Output.note("\(JobID(job.id)), \"\(name)\", can't be copied: \(reason.endedSentence)")
        show()
    }

    /// Says what came of it all; `end` is why there isn't more.
    func finish(_ end: String?) throws {
        wipe()
        let seconds = Quantities.duration((ContinuousClock.now - begin) / .seconds(1))
        var words = ["Made \(copies(made)) of \(Quantities.count(pictures, "picture")) in \(seconds)"]
        if kept > 0 { words.append("kept \(copies(kept)) that \(kept == 1 ? "was" : "were") there already") }
        if withoutFaces > 0 { words.append("\(Quantities.count(withoutFaces, "picture")) had no faces") }
        if failures > 0 { words.append("\(Quantities.grouped(failures)) could not be copied") }
        if surplus > 0 { words.append("\(Quantities.grouped(surplus)) of earlier runs are left") }
        if let end { words.append(end) }
        Output.note(words.joined(separator: "; ") + ".")
        if kind == .redacted, made > 0 {
            Output.note(
                "Hid \(Quantities.count(faces, "face")), \(Quantities.grouped(doubtful)) of them with low "
                    + "confidence. Faces can be missed: look at the copies before you hand them on."
            )
        }
    }

    /// Removes the line that says how far it is.
    func wipe() {
        guard isLineThere else { return }
        isLineThere = false
        Output.noteUnchanged("\r\u{1b}[K")
    }

    private func copies(_ count: Int) -> String {
        "\(Quantities.grouped(count)) \(count == 1 ? "copy" : "copies")"
    }

    private func show() {
        guard isShown, .now - lastShown > .milliseconds(200) else { return }
        lastShown = .now
        isLineThere = true
        let done = Quantities.grouped(pictures + withoutFaces + failures)
        let all = total.map { " of \(Quantities.count($0, "picture"))" } ?? " pictures"
        let seconds = Quantities.duration((lastShown - begin) / .seconds(1))
        Output.noteUnchanged("\r\u{1b}[K\(done)\(all) in \(seconds)")
    }
}
