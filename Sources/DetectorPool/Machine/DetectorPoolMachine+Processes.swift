import JobCore

/// Handles what processes do.
extension DetectorPoolMachine {
    /// A process says that it is ready.
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

    /// A process has answered for a job.
    mutating func answered(_ process: ProcessID, job: JobID, took: Duration, now: Duration) -> [Action] {
        switch place(of: process) {
        case .busy(_, var work, let request, _) where request.job == job:
            deaths[process.place] = 0
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
            // An answer that nobody asked for.
            return misbehaved(process)
        case .ending, .empty, nil:
            return []
        }
    }

    /// A process has broken the protocol: nothing more from it can be believed.
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

    /// A process has ended, or couldn't be started.
    ///
    /// `lacked` says that it ended because the machine had run out of something that it needs, such as
    /// descriptors or processes: then its picture waits for another, however often that happens.
    mutating func ended(_ process: ProcessID, lacked: Bool = false, now: Duration) -> [Action] {
        guard let old = place(of: process) else { return [] }
        var actions: [Action] = []
        var ready = true
        switch old {
        case .empty:
            return []
        case .starting, .ending(_, .start):
            ready = false
            deaths[process.place] += 1
        case .finishing, .ending(_, .nobody):
            break
        case .idle, .ending(_, .process(nil)):
            deaths[process.place] += 1
        case .busy(_, _, let request, _) where lacked:
            ready = false
            deaths[process.place] += 1
            // Behind the others, so that it can't hold them up where it lacks something all by itself.
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
