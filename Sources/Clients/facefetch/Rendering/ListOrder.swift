import ControlAPI

/// The order of a list of jobs, and how many of them are shown.
struct ListOrder: Hashable {
    /// The key that jobs are ordered by.
    enum Key: String, CaseIterable, Sendable {
        case id, name, size, faces, ended

        /// True if the order begins with the most.
        var beginsWithMost: Bool {
            switch self {
            case .id, .name: false
            case .size, .faces, .ended: true
            }
        }
    }

    /// The key that jobs are ordered by.
    var key = Key.id
    /// True if the order is turned round.
    var isReversed = false
    /// The most jobs that are shown; nil for all.
    var limit: Int?

    /// True if jobs come from the daemon in this order.
    var isDaemons: Bool { key == .id }

    /// The first jobs in this order, of those that are kept already and some more.
    ///
    /// Jobs that are equal are in the order of their ids. What has no size, no faces or no end comes last, whichever
    /// way round.
    func first(of jobs: [JobJSON]) -> [JobJSON] {
        guard !isDaemons else { return Array(jobs.prefix(limit ?? jobs.count)) }
        let sorted = jobs.sorted { isBefore($0, $1) }
        return Array(sorted.prefix(limit ?? sorted.count))
    }

    private func isBefore(_ one: JobJSON, _ other: JobJSON) -> Bool {
        if key == .name {
            let (first, second) = (one.name.lowercased(), other.name.lowercased())
            guard first != second else { return one.id < other.id }
            return (first < second) != isReversed
        }
        switch (value(one), value(other)) {
        case (let first?, let second?) where first != second:
            return (first < second) != (isReversed != key.beginsWithMost)
        case (_?, nil): return true
        case (nil, _?): return false
        default: return one.id < other.id
        }
    }

    private func value(_ job: JobJSON) -> Int64? {
        switch key {
        case .id, .name: job.id
        case .size: ShownJobs.bytes(job)
        case .faces: job.detection?.faceCount.map(Int64.init)
        case .ended: job.ended
        }
    }
}
