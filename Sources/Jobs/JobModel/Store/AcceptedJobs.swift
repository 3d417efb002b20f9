import Vocabulary

/// Jobs as they were accepted, kept while nothing has changed in them, so that their rows need not be read
/// back when their turn comes.
///
/// The engine and the store each remember which ones they have taken, but share the jobs themselves.
public struct AcceptedJobs: Sendable {
    /// Jobs that follow each other without a gap.
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

        var first: Int64 { jobs[0].id.rawValue }
        var last: Int64 { jobs[jobs.count - 1].id.rawValue }

        /// Adds the jobs of another slice, which follow.
        mutating func append(_ other: Slice) {
            jobs += other.jobs
            isTaken += other.isTaken
            left += other.left
            bytes += other.bytes
        }

        /// The place of a job that isn't taken; nil if there is none.
        func place(of job: JobID) -> Int? {
            guard (first...last).contains(job.rawValue) else { return nil }
            let place = Int(job.rawValue - first)
            return isTaken[place] ? nil : place
        }
    }

    /// In ascending order.
    private var slices: [Slice] = []
    private var bytes = 0

    /// The most bytes that the jobs take, roughly; others are read back from the store.
    private static let limit = 16 << 20
    /// The most jobs of slices that are joined, so that there are never many.
    private static let joined = 128

    public init() {}

    /// Adds jobs, as far as there is room for them.
    ///
    /// Their numbers need not follow those of the others, since batches are taken in side by side.
    public mutating func add(_ jobs: [Job]) {
        var begin = jobs.startIndex
        while begin < jobs.endIndex {
            var end = begin + 1
            while end < jobs.endIndex, jobs[end].id.rawValue == jobs[end - 1].id.rawValue + 1 { end += 1 }
            // Usually this is all of them, and then they are shared rather than copied.
            add(slice: begin == 0 && end == jobs.count ? jobs : Array(jobs[begin..<end]))
            begin = end
        }
    }

    private mutating func add(slice jobs: [Job]) {
        let slice = Slice(jobs, bytes: jobs.reduce(0) { $0 + $1.roughSize })
        guard bytes + slice.bytes <= Self.limit else { return }
        let place = firstSlice(after: slice.first)
        bytes += slice.bytes
        if place > 0, slices[place - 1].last + 1 == slice.first,
            slices[place - 1].jobs.count + jobs.count <= Self.joined
        {
            slices[place - 1].append(slice)
        } else {
            slices.insert(slice, at: place)
        }
    }

    /// Returns whether a job is here.
    public func contains(_ job: JobID) -> Bool { place(of: job) != nil }

    /// Removes and returns a job that is about to change; nil if it isn't here.
    @discardableResult
    public mutating func remove(_ job: JobID) -> Job? {
        guard let (slice, place) = place(of: job) else { return nil }
        let taken = slices[slice].jobs[place]
        slices[slice].isTaken[place] = true
        slices[slice].left -= 1
        if slices[slice].left == 0 { bytes -= slices.remove(at: slice).bytes }
        return taken
    }

    /// Removes all jobs of a range.
    public mutating func drop(_ jobs: ClosedRange<JobID>) {
        guard let first = slices.first?.first, let last = slices.last?.last,
            jobs.lowerBound.rawValue <= last, first <= jobs.upperBound.rawValue
        else { return }
        let range = max(jobs.lowerBound.rawValue, first)...min(jobs.upperBound.rawValue, last)
        for number in range { remove(JobID(rawValue: number)) }
    }

    private func place(of job: JobID) -> (slice: Int, place: Int)? {
        let slice = firstSlice(after: job.rawValue) - 1
        guard slice >= 0, let place = slices[slice].place(of: job) else { return nil }
        return (slice, place)
    }

    /// The index of the first slice that begins after a number.
    private func firstSlice(after number: Int64) -> Int {
        var range = slices.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if slices[middle].first <= number {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}

extension Job {
    /// Roughly the number of bytes that the job takes in memory.
    fileprivate var roughSize: Int {
        let options = options
        var size = MemoryLayout<Job>.size + url.text.utf8.count + url.masked.utf8.count + name.utf8.count
        size += (options.meta?.text.utf8.count ?? 0) + (options.source?.utf8.count ?? 0)
        size += (options.itemKey?.utf8.count ?? 0) + (options.expectedSHA256?.utf8.count ?? 0)
        for header in options.headers { size += header.name.utf8.count + header.value.utf8.count }
        return size
    }
}
