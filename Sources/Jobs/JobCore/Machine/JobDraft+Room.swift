import JobModel

/// Removing or keeping a partial when the disk has no room for the rest of the file.
extension JobDraft {
    /// Gives up the partial's space on a full disk, unless a later attempt can resume from it and needs a known
    /// number of bytes more.
    ///
    /// Without a validator the next attempt starts from zero anyway, and until then the partial would only take
    /// space that other jobs need. A file of unknown length may have no end, and would keep them waiting for
    /// ever.
    mutating func giveRoomBack(in context: inout JobContext) {
        guard job.waiting?.reason.code == .diskFull, job.validator == nil || job.totalBytes == nil,
            job.bytes > 0, job.bytes != job.totalBytes
        else { return }
        let (total, wasResumable) = (job.totalBytes, job.validator != nil)
        job.furthestBytes = max(job.furthestBytes, job.bytes)
        discardPartial(in: &context)
        // Kept, because it tells how much room the next attempt needs.
        job.totalBytes = total
        let reason =
            wasResumable
            ? "the disk is full, and the server doesn't say how long the file is"
            : "the disk is full, and the server gave nothing to resume the download by"
        context.emit(.restarted(name: job.name, reason: reason))
    }

    /// Ends the job if its file, whose length nobody knows, has filled the disk again where it did before; returns
    /// whether it did.
    ///
    /// - Parameters:
    ///   - furthest: the most bytes that earlier attempts got.
    mutating func endOnFullDisk(after furthest: Int64, in context: inout JobContext) -> Bool {
        guard job.totalBytes == nil, job.toldOfFullDisk, job.bytes > 0, furthest >= Job.longWithoutLength
        else { return false }
        let margin = furthest / 8
        guard job.bytes <= furthest + margin else { return false }
        if job.bytes < furthest - margin {
            // Others took the room before it got there; that has to end as well.
            job.fruitlessTries += 1
            guard job.fruitlessTries >= context.retry.maximumTries else { return false }
        }
        let words =
            "the server doesn't say how long the file is, and the disk was full after \(job.bytes) bytes of it, as it "
            + "had been before; make room, or lower disk.reserve, then retry it"
        discardPartial(in: &context)
        fail(JobFailure(.tooLargeForDisk, words), in: &context)
        return true
    }
}
