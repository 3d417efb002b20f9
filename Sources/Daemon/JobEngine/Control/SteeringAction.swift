import JobModel
import Vocabulary

/// A steering action on a job.
public enum SteeringAction: Hashable, Sendable {
    /// Pause the job, keeping its partial.
    case pause
    /// Let the job continue.
    case resume
    /// End the job and remove its partial; a published document stays.
    case cancel
    /// Try again now; a new URL replaces an expired one.
    ///
    /// With a new URL, the job's own header fields are kept only if the user (SO_PEERCRED) is root or
    /// their submitter.
    case retry(url: JobURL?, by: UInt32? = nil)
    /// Look for faces again, with the given engine or the one in the settings.
    case detect(engine: DetectionEngine? = nil)
    /// Change the job's priority.
    case prioritize(Int)
    /// Keep the document however long ago it was served, or no longer.
    case pin(Bool)
    /// Keep the fingerprint of the document with this SHA-256, which changes nothing else of its result.
    case fingerprint(Fingerprint?, of: String?)

    /// The states of the jobs that it applies to where nobody has named any: for all, or by a filter without a
    /// state.
    public var sensibleStates: [JobState] {
        switch self {
        case .pause: [.queued, .downloading, .waiting, .stored, .detecting]
        case .resume: [.paused]
        case .cancel: [.queued, .downloading, .waiting, .stored, .detecting, .paused]
        case .retry: [.failed, .waiting]
        case .detect: [.done]
        case .prioritize: [.queued, .downloading, .waiting, .paused]
        case .pin: JobState.allCases
        case .fingerprint: [.done]
        }
    }
}
