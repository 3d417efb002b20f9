import JobModel
import Vocabulary

/// Handling of requests to the pool, and of the passage of time.
extension DetectorPoolMachine {
    /// Accepts a document.
    mutating func submit(_ request: DetectionRequest, now: Duration) -> [Action] {
        queue.append(request)
        return assign(now: now)
    }

    /// Withdraws a document; a process that is busy with it is stopped.
    mutating func withdraw(_ job: JobID) -> [Action] {
        queue.removeAll { $0.job == job }
        var actions: [Action] = []
        for index in places.indices {
            switch places[index] {
            case .busy(let process, _, let request, _) where request.job == job:
                places[index] = .ending(process, blame: .nobody)
                actions.append(.kill(process))
            case .ending(let process, .process(let request)) where request?.job == job:
                places[index] = .ending(process, blame: .process(nil))
            case .empty, .starting, .idle, .busy, .finishing, .ending:
                break
            }
        }
        return actions
    }

    /// Withdraws all documents that no process has begun with, and returns them in order.
    mutating func withdrawWaiting() -> [DetectionRequest] {
        defer { queue = [] }
        return queue
    }

    /// Replaces all processes, because they have been let into another directory than they should; one that is
    /// busy goes once it has answered.
    mutating func replaceAll(now: Duration) -> [Action] {
        var actions: [Action] = []
        for index in places.indices {
            switch places[index] {
            case .starting(let process, _):
                places[index] = .ending(process, blame: .nobody)
                actions.append(.kill(process))
            case .idle(let process, _, _):
                places[index] = .finishing(process, deadline: now + limits.endTimeout)
                actions.append(.finish(process))
            case .busy(let process, var work, let request, let deadline):
                work.pictures = limits.recycleAfter
                places[index] = .busy(process, work, request, deadline: deadline)
            case .empty, .finishing, .ending: break
            }
        }
        return actions
    }

    /// Does what is due: starts missing processes, ends idle ones, and stops those that take too long.
    mutating func advance(now: Duration) -> [Action] {
        var actions: [Action] = []
        for index in places.indices {
            switch places[index] {
            case .starting(let process, let deadline) where deadline <= now:
                places[index] = .ending(process, blame: .start)
                actions.append(.kill(process))
            case .busy(let process, _, let request, let deadline) where deadline <= now:
                places[index] = .ending(process, blame: .nobody)
                actions += [.kill(process), .report(request, .timedOut)]
            case .idle(let process, _, let until) where until <= now:
                places[index] = .finishing(process, deadline: now + limits.endTimeout)
                actions.append(.finish(process))
            case .finishing(let process, let deadline) where deadline <= now:
                places[index] = .ending(process, blame: .nobody)
                actions.append(.kill(process))
            case .empty, .starting, .idle, .busy, .finishing, .ending:
                break
            }
        }
        return actions + assign(now: now)
    }

    /// Gives waiting documents to ready processes in order, and starts processes for the others.
    mutating func assign(now: Duration) -> [Action] {
        guard !queue.isEmpty else { return [] }
        var actions: [Action] = []
        for index in places.indices {
            guard !queue.isEmpty else { return actions }
            guard case .idle(let process, let work, _) = places[index] else { continue }
            let request = queue.removeFirst()
            places[index] = .busy(process, work, request, deadline: now + limits.timeout)
            actions.append(.send(process, request))
        }
        var lacking = lacking
        for index in places.indices where lacking > 0 {
            guard case .empty(let until) = places[index], until <= now else { continue }
            actions.append(start(in: index, now: now))
            lacking -= 1
        }
        return actions
    }

    /// Starts a process in a place that has none.
    private mutating func start(in index: Int, now: Duration) -> Action {
        serial += 1
        let process = ProcessID(place: index, serial: serial)
        places[index] = .starting(process, deadline: now + limits.startTimeout)
        return .start(process)
    }

    /// Returns the place of a process; nil if it has been replaced, so that nothing it does matters any
    /// more.
    func place(of process: ProcessID) -> Place? {
        let place = places[process.place]
        switch place {
        case .empty: return nil
        case .starting(let current, _), .idle(let current, _, _), .busy(let current, _, _, _),
            .finishing(let current, _), .ending(let current, _):
            return current == process ? place : nil
        }
    }
}
