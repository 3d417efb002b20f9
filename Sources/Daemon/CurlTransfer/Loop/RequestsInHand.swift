import JobModel
import Vocabulary

/// The requests that wait for other transfers of their hosts to end, and the number of those that are under way.
struct RequestsInHand {
    private struct Host {
        var underWay = 0
        /// The most at once, as the newest request says.
        var most = 1
        var waiting = Line()

        var isUnused: Bool { underWay <= 0 && waiting.isEmpty }
    }

    /// Requests in the order in which they came.
    private struct Line {
        private var requests: [TransferRequest?] = []
        /// The place of the first one; those before it have left.
        private var first = 0

        var isEmpty: Bool { first == requests.count }
        var jobs: [JobID] { requests.compactMap { $0?.job } }

        mutating func append(_ request: TransferRequest) { requests.append(request) }

        /// Removes and returns the first one, at a cost that doesn't grow with the line.
        mutating func popFirst() -> TransferRequest? {
            guard !isEmpty else { return nil }
            defer { forgetGone() }
            defer { first += 1 }
            return requests[first].take()
        }

        /// Removes the requests of jobs, and returns the jobs that had any.
        mutating func remove(_ jobs: Set<JobID>) -> [JobID] {
            let found = self.jobs.filter(jobs.contains)
            guard !found.isEmpty else { return [] }
            requests = requests[first...].filter { $0.map { !jobs.contains($0.job) } ?? false }
            first = 0
            return found
        }

        private mutating func forgetGone() {
            guard first * 2 >= requests.count else { return }
            requests.removeFirst(first)
            first = 0
        }
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
        guard let place = hosts.index(forKey: name), hosts.values[place].underWay < hosts.values[place].most
        else { return nil }
        // In place: a second reference to those that wait would have all of them copied.
        let next = hosts.values[place].waiting.popFirst()
        // The last one may have ended before it was under way.
        if next == nil, hosts.values[place].isUnused { hosts.remove(at: place) }
        return next
    }

    /// Notes that a transfer of a host is under way.
    mutating func began(at name: String) { hosts[name, default: Host()].underWay += 1 }

    /// Notes that a transfer of a host has ended.
    mutating func ended(at name: String) {
        guard let place = hosts.index(forKey: name) else { return }
        hosts.values[place].underWay -= 1
        if hosts.values[place].isUnused { hosts.remove(at: place) }
    }

    /// Removes the requests of jobs, and returns the jobs that had any.
    mutating func remove(_ jobs: [JobID]) -> [JobID] {
        guard !hosts.isEmpty else { return [] }
        let jobs = Set(jobs)
        return Array(hosts.keys).flatMap { name in
            defer { forgetIfUnused(name) }
            return hosts[name]?.waiting.remove(jobs) ?? []
        }
    }

    /// Removes all requests of a host, and returns their jobs.
    mutating func removeAll(at name: String) -> [JobID] {
        let jobs = hosts[name]?.waiting.jobs ?? []
        hosts[name]?.waiting = Line()
        forgetIfUnused(name)
        return jobs
    }

    private mutating func forgetIfUnused(_ name: String) {
        if hosts[name]?.isUnused == true { hosts[name] = nil }
    }
}
