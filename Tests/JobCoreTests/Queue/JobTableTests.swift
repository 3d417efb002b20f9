import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

struct JobTableTests {
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    @Test("A seeded walk agrees with a dictionary", arguments: 1...10)
    func walk(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = JobTable<Int>()
        var known: [Int64: Int] = [:]
        for _ in 0..<3000 {
            let number = Int64.random(in: 1...400, using: &generator)
            let value = Int.random(in: 0...2, using: &generator)
            switch Int.random(in: 0...5, using: &generator) {
            case 0:
                let last = number + Int64.random(in: 0...150, using: &generator)
                let isEmpty = (number...last).allSatisfy { known[$0] == nil }
                #expect(table.isEmpty(in: job(number)...job(last)) == isEmpty)
                table.set(value, for: job(number)...job(last))
                for number in number...last { known[number] = value }
            case 1, 2:
                table.set(value, for: job(number))
                known[number] = value
            default:
                #expect(table.remove(job(number)) == known.removeValue(forKey: number))
            }
            #expect(table.count == known.count)
            #expect(table[job(number)] == known[number])
        }
        var found: [Int64: Int] = [:]
        var last: (job: Int64, value: Int)?
        table.forEachRun { jobs, value in
            let (first, end) = (jobs.lowerBound.rawValue, jobs.upperBound.rawValue)
            if let last { #expect(last.job + 1 < first || last.job + 1 == first && last.value != value) }
            for number in first...end { found[number] = value }
            last = (end, value)
        }
        #expect(found == known)
        for number in known.keys { table.remove(job(number)) }
        #expect(table.count == 0 && table.isEmpty(in: job(1)...job(1000)))
    }

    @Test("Any number of a job will do")
    func extremes() {
        var table = JobTable<Int>()
        for number in [Int64.min, -1, 0, 63, 64, Int64.max] { table.set(1, for: job(number)) }
        #expect(table.count == 6 && table[job(.max)] == 1 && table[job(62)] == nil)
        var runs: [ClosedRange<JobID>] = []
        table.remove(job(.max))
        table.forEachRun { jobs, _ in runs.append(jobs) }
        #expect(runs == [job(.min)...job(.min), job(-1)...job(0), job(63)...job(64)])
    }
}
