import ExportFormats
import Glibc

/// What an export has no place for: the first of them by name, and how many.
struct LeftOut {
    /// How many are named.
    static let named = 20

    /// Why something is left out.
    enum Reason: Hashable {
        /// The picture's size isn't known.
        case noSize
        /// The document isn't there, or can't be opened.
        case noDocument(errno: Int32)
        /// The document isn't what was stored.
        case changed
        /// An archive can't have files as large as the document.
        case tooLarge
        /// There is a sidecar that somebody else wrote or changed.
        case foreignSidecar(String)
        /// The picture has regions of its own.
        case hasRegions
    }

    private var count = 0
    private var lines: [String] = []

    /// A job is left out.
    mutating func add(_ job: ExportedJob, _ reason: Reason) {
        count += 1
        guard lines.count < Self.named else { return }
        lines.append("j\(job.id), \"\(job.name.safeForTerminal)\", is left out: \(Self.words(reason, job))")
    }

    /// Names them on standard error.
    func report() {
        for line in lines { Output.note(line) }
        if count > lines.count {
            Output.note("\(Quantities.grouped(count - lines.count)) more are left out.")
        }
    }

    private static func words(_ reason: Reason, _ job: ExportedJob) -> String {
        switch reason {
        case .noSize:
            "the size of the picture is not known; \"facefetch detect j\(job.id)\" finds it out."
        case .noDocument(let number):
            "its document can't be opened: \(String(cString: strerror(number)))."
        case .changed:
            "its document is not what was stored."
        case .tooLarge:
            "its document has more bytes than a file in an archive can have."
        case .foreignSidecar(let path):
            "\(path.safeForTerminal) was written or changed by somebody else."
        case .hasRegions:
            "the picture has regions of its own."
        }
    }
}
