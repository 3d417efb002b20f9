/// Jobs as they were accepted, kept while nothing has changed in them, so that their rows need not be read
/// back when their turn comes.
///
/// The engine and the store each remember which ones they have taken, but share the jobs themselves.
public struct AcceptedJobs: Sendable {
    /// Jobs that were accepted together, in ascending order.
    private struct Slice: Sendable {
        var jobs: [Job]
        var isTaken: [Bool]
        var left: Int
        var bytes: Int

        init(_ jobs: [Job], bytes: Int) {
            self.jobs = jobs
            self.bytes = bytes
            isTaken = Array(repeating: false, count: jobs.count)
            left = jobs.count
        }

        /// Adds the jobs of another slice, which follow.
        mutating func append(_ other: Slice) {
            jobs += other.jobs
            isTaken += other.isTaken
            left += other.left
            bytes += other.bytes
        }

        /// The place of a job that isn't taken; nil if there is none.
        func place(of job: JobID) -> Int? {
            guard let first = jobs.first?.id.rawValue, job.rawValue >= first else { return nil }
            // Almost always, the numbers have no holes.
            let offset = job.rawValue - first
            var place = Int(min(offset, Int64(jobs.count - 1)))
            while jobs[place].id > job { place -= 1 }
            return jobs[place].id == job && !isTaken[place] ? place : nil
        }
    }

    private var slices: [Slice] = []
    private var bytes = 0

    /// The most bytes that jobs take, roughly; more than those are read back as ever.
    private static let limit = 16 << 20
    /// The number of jobs below which slices are joined, so that there are never many.
    private static let joined = 128

    /// Creates an empty collection.
    public init() {}

    /// Adds jobs, which ascend and follow all others, where there is room for them.
    public mutating func add(_ jobs: [Job]) {
        guard !jobs.isEmpty else { return }
        let slice = Slice(jobs, bytes: jobs.reduce(0) { $0 + $1.roughSize })
        guard bytes + slice.bytes <= Self.limit else { return }
        bytes += slice.bytes
        if let last = slices.last, last.jobs.count + jobs.count <= Self.joined {
            slices[slices.count - 1].append(slice)
        } else {
            slices.append(slice)
        }
    }

    /// Returns whether a job is here.
    public func contains(_ job: JobID) -> Bool { place(of: job) != nil }

    /// Takes a job out, because it is about to change; nil if it isn't here.
    @discardableResult
    public mutating func take(_ job: JobID) -> Job? {
        guard let (slice, place) = place(of: job) else { return nil }
        let taken = slices[slice].jobs[place]
        slices[slice].isTaken[place] = true
        slices[slice].left -= 1
        if slices[slice].left == 0 { bytes -= slices.remove(at: slice).bytes }
        return taken
    }

    /// Takes out all jobs of a range.
    public mutating func drop(_ jobs: ClosedRange<JobID>) {
        guard let first = slices.first?.jobs.first?.id, let last = slices.last?.jobs.last?.id,
            jobs.lowerBound <= last, first <= jobs.upperBound
        else { return }
        let range = max(jobs.lowerBound, first).rawValue...min(jobs.upperBound, last).rawValue
        for number in range { take(JobID(rawValue: number)) }
    }

    private func place(of job: JobID) -> (slice: Int, place: Int)? {
        var range = slices.indices
        // The last slice that doesn't begin after it.
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if slices[middle].jobs[0].id <= job {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        let slice = range.lowerBound - 1
        guard slice >= 0, let place = slices[slice].place(of: job) else { return nil }
        return (slice, place)
    }
}

extension Job {
    /// Roughly the number of bytes that the job takes in memory.
    fileprivate var roughSize: Int {
        var size = MemoryLayout<Job>.size + url.text.utf8.count + url.masked.utf8.count + name.utf8.count
        size += (options.meta?.text.utf8.count ?? 0) + (options.source?.utf8.count ?? 0)
        for header in options.headers { size += header.name.utf8.count + header.value.utf8.count }
        return size
    }
}
