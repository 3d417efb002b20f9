import ControlAPI
import Vocabulary

/// Writes sentences about what has been done to jobs.
enum SteeringWords {
    /// The line for one job, given as it is now.
    ///
    /// - Parameter before: The state in which the job was; nil if that isn't known.
    static func line(_ action: JobAction, _ job: JobJSON, before: JobState? = nil) -> String {
        "\(JobID(job.id)) \(deed(action, job, before)): \(job.name.safeForTerminal)"
    }

    /// The sentence for very many jobs, of which `count` have changed.
    ///
    /// - Parameter matched: How many a filter has let through; nil without one.
    static func sentence(_ action: JobAction, _ count: Int, matched: Int? = nil) -> String {
        guard count > 0 else {
            guard let matched else { return "There was nothing to do." }
            return matched == 1
                ? "There was nothing to do: 1 job matches, and for that it makes no sense or no difference."
                : "There was nothing to do: \(Quantities.count(matched, "job")) match, and for them it makes no sense or no difference."
        }
        let others = matched.map { $0 - count } ?? 0
        let rest = others > 0 ? " The other \(Quantities.grouped(others)) that match stay as they are." : ""
        return "\(Quantities.count(count, "job")) \(count == 1 ? one(action) : many(action)).\(rest)"
    }

    private static func deed(_ action: JobAction, _ job: JobJSON, _ before: JobState?) -> String {
        switch (action, job.state) {
        // What has rested is tried again by this, however soon it gets its turn.
        case (.retry, _) where before?.isAtRest == true: one(action)
        case (.retry, .known(.queued)) where before == .queued: "is in the queue already"
        case (.retry, .known(.stored)) where before == .stored:
            "is stored already, and waits to be looked at"
        case (.cancel, .known(.done)): "is no longer looked at, and keeps its earlier result"
        // What is under way has not been begun by this.
        case (.retry, .known(.downloading)), (.retry, .known(.detecting)): "is under way already"
        default: one(action)
        }
    }

    private static func one(_ action: JobAction) -> String {
        switch action {
        case .pause: "is paused"
        case .resume: "goes on"
        case .cancel: "is cancelled"
        case .retry: "is tried again"
        case .detect: "is looked at again"
        case .pin: "is pinned"
        case .unpin: "is no longer pinned"
        }
    }

    private static func many(_ action: JobAction) -> String {
        switch action {
        case .pause: "are paused"
        case .resume: "go on"
        case .cancel: "are cancelled"
        case .retry: "are tried again"
        case .detect: "are looked at again"
        case .pin: "are pinned"
        case .unpin: "are no longer pinned"
        }
    }
}

extension JobState {
    /// True if a job in this state goes on only if it is tried again, or later.
    fileprivate var isAtRest: Bool {
        switch self {
        case .waiting, .paused, .done, .failed, .cancelled: true
        case .queued, .downloading, .stored, .detecting: false
        }
    }
}
