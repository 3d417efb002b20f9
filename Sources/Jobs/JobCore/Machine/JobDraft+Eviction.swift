/// The removal of a document, to make room or because somebody asked for it: decided first, then done, then
/// told.
///
/// The job keeps its path until the document is gone, so that a start after a crash goes on with the
/// removal.
extension JobDraft {
    /// Decides that the document is removed; returns false if it may not be.
    mutating func evict(in context: inout JobContext) -> Bool {
        guard job.mayBeEvicted else { return false }
        job.evictedAt = context.now.wall
        requestRemoval(in: &context)
        return true
    }

    /// Decides that the document is removed because somebody asked for it.
    ///
    /// Only one that is known as it was stored can be told from one that somebody has changed since.
    mutating func removeDocument(while activity: JobActivity, in context: inout JobContext) {
        guard job.state.isFinal, activity == .idle else { return context.refuse("it hasn't ended") }
        guard job.path != nil else { return context.refuse("it has no document") }
        guard !job.isBeingEvicted else { return }
        guard job.documentMark != nil else {
            return context.refuse("it isn't known whether its document has changed since it was stored")
        }
        job.evictedAt = context.now.wall
        requestRemoval(in: &context)
    }

    /// Requests the removal, if it has been decided.
    mutating func requestRemoval(in context: inout JobContext) {
        guard job.isBeingEvicted, let path = job.path, let mark = job.documentMark else { return }
        context.perform(.removeDocument(path: path, mark: mark))
    }

    /// Notes that the document is gone.
    mutating func documentRemoved(in context: inout JobContext) {
        job.path = nil
        let isToMakeRoom = job.isEvictable && job.state == .done
        context.emit(isToMakeRoom ? .evicted(name: job.name) : .removed(name: job.name))
    }

    /// Notes that the document stays, because it is not the file that was stored, or can't be removed.
    mutating func documentKept() { job.evictedAt = nil }

    /// Protects the document from removal, or no longer.
    mutating func pin(_ isPinned: Bool, in context: inout JobContext) {
        guard isPinned != job.isPinned else { return }
        if isPinned, refusesWithoutDocument(in: &context) { return }
        job.isPinned = isPinned
    }

    /// Refuses what needs the document if that has been removed, or is being; returns whether it did.
    func refusesWithoutDocument(in context: inout JobContext) -> Bool {
        guard job.evictedAt != nil else { return false }
        context.refuse(
            job.isBeingEvicted
                ? "its document is being removed" : "its document was removed; retry fetches it again"
        )
        return true
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
