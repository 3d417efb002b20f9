import ExportFormats
import Sidecars
import Vocabulary

/// Jobs that an export has no place for: the first of them by name, and how many.
struct LeftOut {
    /// The number of those that are named.
    static let named = 20

    /// The reason why something is left out.
    enum Reason: Hashable {
        /// An archive can't have files as large as the document.
        case tooLarge
        /// Its upright copy would have to be smaller than the picture, and boxes would be of another size.
        case wouldShrink
        /// It can't be copied, and why.
        case copy(String)
        /// It has no place in a folder: its own isn't the name of one.
        case noPlace
        /// There is another reason, which sidecars have, too.
        case sidecar(SidecarOutcome.Reason)
    }

    private var count = 0
    private var lines: [String] = []
    /// An address of one that is no path here.
    private var address: String?

    /// A job is left out.
    mutating func add(_ job: ExportedJob, _ reason: Reason) {
        count += 1
        if let path = job.path, path.contains("://") { address = address ?? path }
        guard lines.count < Self.named else { return }
        let name = job.name.safeForTerminal
        lines.append("\(JobID(job.id)), \"\(name)\", is left out: \(Self.words(reason, job))")
    }

    /// Names them on standard error.
    func report() {
        for line in lines { Output.note(line) }
        if count > lines.count {
            Output.note("\(Quantities.grouped(count - lines.count)) more are left out.")
        }
        if let address {
            Output.note("Say with --at where documents are here, such as \(address.safeForTerminal).")
        }
    }

    private static func words(_ reason: Reason, _ job: ExportedJob) -> String {
        switch reason {
        case .tooLarge:
            "its document has more bytes than a file in an archive can have."
        case .wouldShrink: "it has too many pixels to be copied upright in its full size."
        case .copy(let reason): reason.endedSentence
        case .noPlace: "its folder or name can't be one in the export."
        case .sidecar(let reason): reason.words(job: job.id) { $0.safeForTerminal }
        }
    }
}
