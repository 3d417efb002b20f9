import JobModel
import Vocabulary

/// The requests that wait for other transfers of their hosts to end, and the number of those that are under way.
struct RequestsInHand {
    private struct Host {
        var underWay = 0
        /// The most at once, as the newest request says.
        var most = 1
        var waiting: [TransferRequest] = []

        var mayBeginNext: Bool { underWay < most && !waiting.isEmpty }
    }

    private var hosts: [String: Host] = [:]

    /// Adds a request behind those of its host; one without a limit isn't added.
    mutating func add(_ request: TransferRequest) {
        guard let turn = request.turn else { return }
        hosts[turn.host, default: Host()].most = turn.most
        hosts[turn.host]?.waiting.append(request)
    }

    /// Removes and returns the next request of a host; nil if none may begin.
    mutating func popNext(at name: String) -> TransferRequest? {
        // In place: a second reference to those that wait would have all of them copied.
        guard hosts[name]?.mayBeginNext == true else { return nil }
        defer { forgetIfUnused(name) }
        return hosts[name]?.waiting.removeFirst()
    }

    /// Notes that a transfer of a host is under way.
    mutating func began(at name: String) { hosts[name, default: Host()].underWay += 1 }

    /// Notes that a transfer of a host has ended.
    mutating func ended(at name: String) {
        hosts[name]?.underWay -= 1
        forgetIfUnused(name)
    }

    /// Removes a job's request; returns false if there is none.
    mutating func remove(_ job: JobID) -> Bool {
        for (name, host) in hosts {
            guard let place = host.waiting.firstIndex(where: { $0.job == job }) else { continue }
            hosts[name]?.waiting.remove(at: place)
            forgetIfUnused(name)
            return true
        }
        return false
    }

    /// Removes all requests of a host, or of all of them, and returns their jobs.
    mutating func takeAll(at name: String? = nil) -> [JobID] {
        let names = name.map { [$0] } ?? Array(hosts.keys)
        return names.flatMap { name in
            let jobs = hosts[name]?.waiting.map(\.job) ?? []
            hosts[name]?.waiting = []
            forgetIfUnused(name)
            return jobs
        }
    }

    private mutating func forgetIfUnused(_ name: String) {
        if let host = hosts[name], host.underWay <= 0, host.waiting.isEmpty { hosts[name] = nil }
    }
}
