import JobModel
import Vocabulary

/// Handling of what processes do.
extension DetectorPoolMachine {
    /// Notes that a process is ready.
    mutating func greeted(_ process: ProcessID, now: Duration) -> [Action] {
        switch place(of: process) {
        case .starting:
            places[process.place] = .idle(process, Work(), until: now + limits.idleTime)
            return assign(now: now)
        case .idle, .busy, .finishing:
            return misbehaved(process)
        case .ending, .empty, nil:
            return []
        }
    }

    /// Notes that a process has answered for a job.
    ///
    /// `isShutOut` says that it could not open the documents directory. A process that began while that was away
    /// was let into none, and can open nothing ever; so this one is replaced, and no other is, ever more slowly as
    /// long as that happens again.
    mutating func answered(
        _ process: ProcessID,
        job: JobID,
        took: Duration,
        isShutOut: Bool = false,
        now: Duration
    ) -> [Action] {
        switch place(of: process) {
        case .busy(_, _, let request, _) where request.job == job && isShutOut:
            looksShutOut += 1
            places[process.place] = .ending(process, blame: .directory)
            return [.deliver(request), .kill(process)]
        case .busy(_, var work, let request, _) where request.job == job:
            deaths[process.place] = 0
            looksShutOut = 0
            work.pictures += 1
            work.time += max(.zero, took)
            let delivered = Action.deliver(request)
            guard work.pictures < limits.recycleAfter, work.time < limits.recycleAfterWork else {
                places[process.place] = .ending(process, blame: .nobody)
                return [delivered, .kill(process)]
            }
            places[process.place] = .idle(process, work, until: now + limits.idleTime)
            return [delivered] + assign(now: now)
        case .starting, .idle, .busy, .finishing:
            // Nobody has asked for this answer.
            return misbehaved(process)
        case .ending, .empty, nil:
            return []
        }
    }

    /// Notes that a process has violated the protocol and can't be trusted any more.
    mutating func misbehaved(_ process: ProcessID) -> [Action] {
        switch place(of: process) {
        case .starting:
            places[process.place] = .ending(process, blame: .start)
        case .idle:
            places[process.place] = .ending(process, blame: .process(nil))
        case .busy(_, _, let request, _):
            places[process.place] = .ending(process, blame: .process(request))
        case .finishing:
            places[process.place] = .ending(process, blame: .nobody)
        case .ending, .empty, nil:
            return []
        }
        return [.kill(process)]
    }

    /// Notes that a process has ended or could not be started.
    ///
    /// `lacked` says that it ended because the machine lacks something that it needs, such as
    /// descriptors or processes. Its picture then waits for another process, however often that happens.
    mutating func ended(_ process: ProcessID, lacked: Bool = false, now: Duration) -> [Action] {
        guard let old = place(of: process) else { return [] }
        var actions: [Action] = []
        var ready = true
        switch old {
        case .empty:
            return []
        case .starting, .ending(_, .start), .ending(_, .directory):
            ready = false
            deaths[process.place] += 1
        case .finishing, .ending(_, .nobody):
            break
        case .idle, .ending(_, .process(nil)):
            deaths[process.place] += 1
        case .busy(_, _, let request, _) where lacked:
            ready = false
            deaths[process.place] += 1
            // After the others, so that it can't hold them up if it alone lacks something.
            queue.append(request)
        case .busy(_, _, let request, _), .ending(_, .process(.some(let request))):
            deaths[process.place] += 1
            actions.append(.report(request, .crashed))
        }
        let delay = limits.delay(afterDeaths: deaths[process.place], ready: ready)
        places[process.place] = .empty(until: now + delay)
        return actions + advance(now: now)
    }
}
