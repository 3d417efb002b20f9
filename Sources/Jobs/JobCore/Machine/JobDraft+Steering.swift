import JobModel
import Vocabulary

/// Requests from people.
///
/// Where the work under way changes, the new activity is returned.
extension JobDraft {
    /// Holds the job, keeping its partial.
    ///
    /// A document that is being published is still published.
    mutating func pause(while activity: JobActivity, in context: inout JobContext) -> JobActivity {
        switch job.state {
        case .paused:
            // From now on it is the person's doing.
            if job.isHeld { job.isHeld = false }
            return activity
        case .done, .failed, .cancelled:
            context.refuse("it has ended")
            return activity
        case .queued, .downloading, .stored, .detecting, .waiting: break
        }
        let activity = withdraw(from: activity, in: &context)
        job.state = .paused
        job.waiting = nil
        context.emit(.paused(name: job.name))
        return activity
    }

    /// Stops the work under way for the job.
    private mutating func withdraw(
        from activity: JobActivity,
        in context: inout JobContext
    ) -> JobActivity {
        switch job.state {
        case .queued: context.move(.dequeueTransfer)
        case .downloading: return stopTransfer(activity, in: &context)
        case .stored, .detecting:
            if job.state == .detecting { takeBackDetectionAttempt() }
            context.move(.dequeueDetection)
            context.perform(.withdrawDetection)
        case .waiting, .paused, .failed, .cancelled, .done: break
        }
        return activity
    }

    /// Stops the transfer and queues the job again, with its partial, because another job needs the permit, or
    /// because nothing may be transferred now.
    mutating func giveWay(while activity: JobActivity, in context: inout JobContext) -> JobActivity {
        job.state = .queued
        return stopTransfer(activity, in: &context)
    }

    private func stopTransfer(_ activity: JobActivity, in context: inout JobContext) -> JobActivity {
        guard case .transferring = activity else { return activity }
        context.perform(.stopTransfer)
        return .stopping
    }

    /// Lets a paused job continue from where it was.
    mutating func resume(while activity: JobActivity, in context: inout JobContext) {
        switch job.state {
        case .paused:
            if refusesForLease(in: &context) { return }
            context.emit(.continued(name: job.name))
            goOn(while: activity, in: &context)
        case .done where job.evictedAt == nil: context.refuse("it is done; detect looks for faces again")
        case .done, .failed, .cancelled:
            guard !job.isBeingEvicted else { return context.refuse("its document is being removed") }
            context.refuse("it has ended; retry starts it again")
        case .queued, .downloading, .stored, .detecting, .waiting: break
        }
    }

    /// Lets a job that rests continue from where it was.
    mutating func goOn(while activity: JobActivity, in context: inout JobContext) {
        job.isHeld = false
        job.fruitlessTries = 0
        job.struggled = 0
        switch activity {
        case .sealing, .publishing:
            // It is on its way into the documents directory, and only has to be allowed to go on.
            job.state = .downloading
            job.failure = nil
            job.finishedAt = nil
        case .idle where job.path != nil:
            job.state = .stored
            // For a job that is looked at again, this is the end of the first look.
            if job.detection == nil { job.finishedAt = nil }
            job.failure = nil
            goOnWithDocument(in: &context)
        case .idle, .stopping, .transferring: requeue(while: activity, in: &context)
        }
    }

    /// Ends the job and removes its partial; of one that is looked at again, ends only that.
    ///
    /// A published document stays. The job's own header fields, which may be secrets, are deleted; a
    /// failed job keeps them, since it is meant to be retried.
    mutating func cancel(while activity: JobActivity, in context: inout JobContext) -> JobActivity {
        switch job.state {
        case .cancelled: return activity
        case .done:
            context.refuse("it is done")
            return activity
        case .queued, .downloading, .stored, .detecting, .waiting, .paused, .failed: break
        }
        let isLookedAtAgain = job.isLookedAtAgain
        let activity = withdraw(from: activity, in: &context)
        if isLookedAtAgain {
            stopLookingAgain(in: &context)
            return activity
        }
        if activity == .idle, job.path == nil, job.mayHavePartial { context.perform(.discardPartial) }
        job.state = .cancelled
        job.isHeld = false
        job.waiting = nil
        job.failure = nil
        job.finishedAt = context.now
        context.number(.cancelled, of: &job)
        job.headers = []
        if job.path == nil, activity != .publishing { forgetPartial() }
        context.emit(.cancelled(name: job.name))
        return activity
    }

    /// Tries again now.
    ///
    /// A new URL can replace one that has expired; the partial is kept if the validator matches.
    /// `keepsHeaders` says whether the person asking may use the job's own header fields.
    mutating func retry(
        url: JobURL?,
        keepsHeaders: Bool,
        while activity: JobActivity,
        in context: inout JobContext
    ) -> JobActivity {
        if refusesForLease(in: &context) { return activity }
        if let url, url != job.url {
            guard activity != .sealing, activity != .publishing else {
                context.refuse("its file has arrived already")
                return activity
            }
            guard job.path == nil else {
                context.refuse("its document is stored already")
                return activity
            }
            // Requests for a source's items carry its header fields and secrets, which go where its list
            // says, and nowhere of anybody else's choice.
            if let source = job.options.source, !keepsHeaders {
                context.refuse("its URL comes from the source \(source); only root may give it another")
                return activity
            }
            // Header fields were given for one server, by one person: nobody else may send them to a
            // place of their own choice.
            if !keepsHeaders || !job.url.hasSameOrigin(as: url) { job.headers = [] }
            let answered = job.response?.finalURL ?? job.url.masked
            job.response?.finalURL = answered
            job.url = url
            job.furthestBytes = 0
            if case .transferring = activity {
                job.state = .queued
                return stopTransfer(activity, in: &context)
            }
            if job.state == .queued, activity == .idle {
                // The new URL may have another host, whose queue it belongs to.
                context.move(.dequeueTransfer)
                context.move(.enqueueTransfer)
            }
        }
        retry(while: activity, in: &context)
        return activity
    }

    private mutating func retry(while activity: JobActivity, in context: inout JobContext) {
        switch job.state {
        case .done, .failed, .cancelled:
            if job.isEvicted {
                context.emit(.continued(name: job.name))
                return fetchAgain(in: &context)
            }
            if job.isBeingEvicted { return context.refuse("its document is being removed") }
            if job.state == .done {
                return context.refuse(
                    "it is done, so there is nothing to try again; detect looks for faces again"
                )
            }
        case .queued, .downloading, .stored, .detecting, .waiting, .paused: break
        }
        switch job.state {
        case .waiting, .failed, .cancelled, .paused:
            guard job.url.isReadable || job.path != nil || activity != .idle else {
                context.refuse("its stored URL can no longer be read; retry it with its URL")
                return
            }
            context.emit(.continued(name: job.name))
            goOn(while: activity, in: &context)
        case .queued, .downloading, .stored, .detecting, .done: break
        }
    }

    /// Changes the job's place in the queues.
    mutating func prioritize(_ priority: Int, while activity: JobActivity, in context: inout JobContext) {
        guard priority != job.priority else { return }
        job.priority = priority
        if job.state == .queued, activity == .idle { context.move(.enqueueTransfer) }
        if job.state == .stored { context.move(.moveDetection) }
    }
}
