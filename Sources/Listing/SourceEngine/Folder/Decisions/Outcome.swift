import JobEngine

/// The outcome for a file.
enum Outcome: Hashable, Sendable {
    /// It was added; the words say as what.
    case added(String)
    /// It can't be, ever; the words say why, a line each.
    case refused(String)
    /// It can't be now.
    case later(String)
    /// The daemon is stopping.
    case interrupted
}

extension Outcome {
    /// Chooses the outcome for a file that can't be copied.
    init(_ failure: FileCopy.Failure, of kind: EntryKind?, limit: Int64) {
        switch failure {
        case .unreadable(let failure):
            self =
                failure.isForGood
                ? .refused("the daemon's user can't read it (\(failure.words))")
                : .later("it can't be read (\(failure.words))")
        case .irregular: self = .refused("it is not a regular file")
        case .over: self = .interrupted
        case .tooLarge(let size):
            self = .refused(
                kind == .recipe
                    ? "it has \(size) bytes, and a recipe may have at most \(limit)"
                    : "it has \(size) bytes, and may have at most \(limit): add it in parts"
            )
        case .neverFits(let size, let most):
            self = .refused(
                "it has \(size) bytes, and the disk of paths.state has at most \(most) for a copy of it: add it in parts"
            )
        case .noRoom(let size, let reserve):
            self = .later(
                "the disk of paths.state has no room for a copy of its \(size) bytes, beyond the \(reserve) that are "
                    + "kept free (disk.reserve)"
            )
        case .changing: self = .later("somebody is still writing to it")
        case .unwritable(let failure):
            self = .later(
                failure.isLackOfRoom
                    ? "the disk of paths.state has no room for a copy of it"
                    : "no copy of it can be written below paths.state (\(failure.words))"
            )
        }
    }

    /// Chooses the outcome for a file that the engine refuses.
    init(_ error: ControlError) {
        switch error {
        case .stopping, .notStarted: self = .interrupted
        case .outOfSpace: self = .later("the disk that the job store is on has no room for it")
        case .idempotencyKeyReused: self = .refused("another list has been added under its key")
        case .noSuchJob, .noLease, .notPossible, .noSuchEngine:
            self = .refused("the daemon does not take it (\(error))")
        }
    }
}
