import JobModel
import Vocabulary

/// A value for each of very many jobs.
///
/// Jobs are numbered as they arrive, and those that came together are mostly alike. So values are kept by
/// pages of 64 neighbours, and once for a page whose jobs all have the same: a million jobs that came in one
/// list take less than a megabyte.
struct JobTable<Value: Equatable & Sendable>: Sendable {
    private struct Page: Sendable {
        /// The jobs that have a value, a bit for each.
        var present: UInt64 = 0
        /// The value of all of them, unless each has a place of its own.
        var common: Value
        /// A place for each job of the page; empty while one value is enough.
        var each: [Value] = []

        func value(at place: Int) -> Value? {
            guard present & (1 << UInt64(place)) != 0 else { return nil }
            return each.isEmpty ? common : each[place]
        }

        /// Sets one value; returns whether the job had none.
        mutating func set(_ value: Value, at place: Int) -> Bool {
            let bit: UInt64 = 1 << UInt64(place)
            let isNew = present & bit == 0
            if each.isEmpty, common != value {
                if present & ~bit == 0 { common = value } else { each = Array(repeating: common, count: 64) }
            }
            if !each.isEmpty { each[place] = value }
            present |= bit
            return isNew
        }
    }

    private var pages: [Int64: Page] = [:]
    /// The number of jobs that have a value.
    private(set) var count = 0

    private static var pageSize: Int64 { 64 }

    /// The value of a job; nil if it has none.
    subscript(job: JobID) -> Value? { pages[Self.page(job)]?.value(at: Self.place(job)) }

    /// Sets a job's value, whether it has another or none.
    mutating func set(_ value: Value, for job: JobID) {
        let (number, place) = (Self.page(job), Self.place(job))
        if pages[number, default: Page(common: value)].set(value, at: place) { count += 1 }
    }

    /// Sets the same value for consecutive jobs.
    mutating func set(_ value: Value, for jobs: ClosedRange<JobID>) {
        Self.forEachPage(of: jobs) { number, bits in
            let before = pages[number]?.present ?? 0
            if before & ~bits == 0 {
                pages[number] = Page(present: bits, common: value)
                count += bits.nonzeroBitCount - before.nonzeroBitCount
            } else {
                for place in 0..<64 where bits & (1 << UInt64(place)) != 0 {
                    set(value, for: JobID(rawValue: number * Self.pageSize + Int64(place)))
                }
            }
        }
    }

    /// Removes and returns a job's value; nil if it had none.
    @discardableResult
    mutating func remove(_ job: JobID) -> Value? {
        let (number, place) = (Self.page(job), Self.place(job))
        guard let value = pages[number]?.value(at: place) else { return nil }
        pages[number]?.present &= ~(1 << UInt64(place))
        if pages[number]?.present == 0 { pages[number] = nil }
        count -= 1
        return value
    }

    /// Returns whether none of the jobs that follow each other has a value.
    func isEmpty(in jobs: ClosedRange<JobID>) -> Bool {
        var isEmpty = true
        Self.forEachPage(of: jobs) { number, bits in
            if let page = pages[number], page.present & bits != 0 { isEmpty = false }
        }
        return isEmpty
    }

    /// Calls `body` with all jobs in ascending order, neighbours of the same value together.
    func forEachRun(_ body: (ClosedRange<JobID>, Value) -> Void) {
        var run: (first: Int64, last: Int64, value: Value)?
        func end() {
            guard let run else { return }
            body(JobID(rawValue: run.first)...JobID(rawValue: run.last), run.value)
        }
        for (number, page) in pages.sorted(by: { $0.key < $1.key }) {
            for place in 0..<64 {
                guard let value = page.value(at: place) else { continue }
                let job = number * Self.pageSize + Int64(place)
                if let latest = run, latest.last + 1 == job, latest.value == value {
                    run?.last = job
                } else {
                    end()
                    run = (job, job, value)
                }
            }
        }
        end()
    }

    private static func page(_ job: JobID) -> Int64 { job.rawValue >> 6 }

    private static func place(_ job: JobID) -> Int { Int(job.rawValue & (pageSize - 1)) }

    /// Calls `body` with the number of each page that has some of these jobs, and a bit for each of them.
    private static func forEachPage(of jobs: ClosedRange<JobID>, _ body: (Int64, UInt64) -> Void) {
        let (first, last) = (page(jobs.lowerBound), page(jobs.upperBound))
        for number in first...last {
            var bits = UInt64.max
            if number == first { bits &= .max << UInt64(place(jobs.lowerBound)) }
            if number == last { bits &= .max >> UInt64(63 - place(jobs.upperBound)) }
            body(number, bits)
        }
    }
}
