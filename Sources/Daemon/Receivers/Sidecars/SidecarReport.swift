import ExportFormats
import Glibc
import Sidecars
import Vocabulary

/// Something to tell people about sidecars.
enum SidecarReport: Hashable, Sendable {
    /// A picture gets no sidecar.
    case leftAlone(ExportedJob, SidecarOutcome.Reason)
    /// A sidecar can't be written, and isn't tried again.
    case failed(ExportedJob, SidecarFailure)
    /// The record of how far sidecars are is damaged, and was set aside.
    case lost(path: String)
    /// Sidecars wait, and are tried again.
    case waits(reason: String)
    /// Sidecars are written again.
    case goesOn

    /// True if somebody should look into it.
    var isTrouble: Bool {
        switch self {
        case .leftAlone, .goesOn: false
        case .failed, .lost, .waits: true
        }
    }

    /// The report as a sentence, without a full stop.
    var text: String {
        switch self {
        case .leftAlone(let job, let reason):
            "\(JobID(job.id)), \"\(job.name)\", gets no sidecar: \(reason.words(job: job.id) { $0 }.dropLast())"
        case .failed(let job, let failure):
            """
            \(JobID(job.id)), "\(job.name)", gets no sidecar: \(failure.path) can't be written: \
            \(failure.words); "facefetch export --format xmp" tries it again
            """
        case .lost(let path):
            """
            how far sidecars have come is not known any more: what was kept of it is damaged, and was set aside as \
            \(path); "facefetch export --format xmp" writes those that are missing
            """
        case .waits(let reason): "sidecars wait: \(reason)"
        case .goesOn: "sidecars are written again"
        }
    }
}

extension SidecarFailure {
    /// The system's words.
    var words: String { String(cString: strerror(number)) }
}
