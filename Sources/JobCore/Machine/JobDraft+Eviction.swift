/// The removal of a document to make room: decided first, then done, then told.
///
/// The job keeps its path until the document is gone, so that a start after a crash goes on with the
/// removal.
extension JobDraft {
    /// Decides that the document is removed; returns false if it may not be.
    mutating func evict(in context: inout JobContext) -> Bool {
        guard job.mayBeEvicted else { return false }
        job.evictedAt = context.now.wall
        askForRemoval(in: &context)
        return true
    }

    /// Asks for the removal, if it has been decided.
    mutating func askForRemoval(in context: inout JobContext) {
        guard job.isBeingEvicted, let path = job.path, let mark = job.documentMark else { return }
        context.ask(for: .removeDocument(path: path, mark: mark))
    }

    /// Takes in that the document is gone.
    mutating func documentRemoved(in context: inout JobContext) {
        job.path = nil
        context.tell(.evicted(name: job.name))
    }

    /// Takes in that the document stays, because it is not the file that was stored, or can't be removed.
    mutating func documentKept() { job.evictedAt = nil }

    /// Protects the document from removal, or no longer.
    mutating func pin(_ isPinned: Bool, in context: inout JobContext) {
        guard isPinned != job.isPinned else { return }
        if isPinned, job.evictedAt != nil {
            return context.refuse("its document was removed to make room; retry fetches it again")
        }
        job.isPinned = isPinned
    }

    /// Queues a job whose document was removed, to be fetched anew; its result may not be that of what
    /// comes.
    mutating func fetchAgain(in context: inout JobContext) {
        forgetPartial()
        job.evictedAt = nil
        job.sha256 = nil
        job.documentMark = nil
        job.detection = nil
        job.detectionDeferred = false
        job.loggedSteps = 0
        job.furthestBytes = 0
        job.fruitlessTries = 0
        job.struggled = 0
        requeue(in: &context)
    }
}
