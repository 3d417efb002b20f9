import ExportFormats

/// Something that jobs are written to.
protocol ExportWriter: AnyObject {
    /// The number of what ended last among what is there already.
    var endedAfter: Int64? { get }
    /// True if a job can take so long that signals are looked for after each.
    var isSlow: Bool { get }
    /// Writes a job, and says why it is left out, if it is; what isn't its business it passes over.
    func write(_ item: ExportedPage.Item, of page: ExportedPage) throws -> LeftOut.Reason?
    /// Sees to it that all is on the disk and under its name.
    func finish() throws
    /// Removes again what was written.
    func abandon()
}

extension ExportWriter {
    /// Nothing is there.
    var endedAfter: Int64? { nil }
    /// A job is a line or two.
    var isSlow: Bool { false }
}

/// Jobs to export, page by page.
protocol ExportedJobs {
    /// The number behind which they begin, unless the writer has some already.
    var begin: Int64 { get }
    /// True if nothing was asked for but all.
    var isOfAll: Bool { get }
    /// Hands out pages of what ended behind a number, until `body` answers false or there are no more; returns the
    /// number up to which something was forgotten, nil if nothing was.
    func forEachPage(
        after: Int64,
        isAhead: Bool,
        _ body: (ExportedPage, ArraySlice<ExportedPage.Item>) throws -> Bool
    ) throws -> Int64?
    /// Refuses a choice that lets nothing through since what it names doesn't exist.
    func refuseStrangers() throws
}

/// An export from its first job to its last.
struct ExportRun {
    /// The jobs to export.
    let jobs: any ExportedJobs
    /// Signals by which a person ends it.
    let signals: SignalPipe

    /// Writes all there is; the number of the signal that ended it before.
    ///
    /// - Throws: ``ClientError``; what was written is gone again.
    func run(into writer: any ExportWriter) throws -> Int32? {
        var leftOut = LeftOut()
        var progress = ExportProgress()
        var ended: Int32?
        var count = 0
        do {
            let after = writer.endedAfter ?? jobs.begin
            let forgotten = try jobs.forEachPage(after: after, isAhead: true) { page, items in
                // A job that came to something else since is listed there as well, or will be.
                for item in items where item.job.isAsItEnded {
                    let reason = try writer.write(item, of: page)
                    if let reason { leftOut.add(item.job, reason) }
                    if writer.isSlow, let number = signals.drain().first {
                        ended = number
                        return false
                    }
                }
                progress.add(items.count)
                count += items.count
                ended = signals.drain().first
                return ended == nil
            }
            if ended == nil, count == 0 { try jobs.refuseStrangers() }
            if ended == nil { try writer.finish() }
            // Whoever begins at the beginning gets what there is. With a filter, what was forgotten is mostly others'.
            if let forgotten, after > 0, jobs.isOfAll, ended == nil {
                progress.wipe()
                Output.note(FollowCursor.gap(upTo: forgotten))
            }
        } catch {
            progress.wipe()
            writer.abandon()
            throw error
        }
        progress.wipe()
        if ended == nil { leftOut.report() } else { writer.abandon() }
        return ended
    }
}
