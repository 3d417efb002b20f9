import TestSupport
import Testing
import Vocabulary

@testable import JobModel

struct AcceptedJobsTests {
    private func job(_ id: Int64, meta: String? = nil) throws -> Job {
        var job = Job(
            id: JobID(rawValue: id),
            batch: BatchID(rawValue: 1),
            createdAt: Moment(microseconds: 0),
            url: try JobURL("http://example.org/\(id).jpg"),
            name: "\(id).jpg"
        )
        job.options.meta = try meta.map { try JobMeta(json: $0.utf8) }
        return job
    }

    private func jobs(_ range: ClosedRange<Int64>) throws -> [Job] { try range.map { try job($0) } }

    private func id(_ number: Int64) -> JobID { JobID(rawValue: number) }

    @Test("A job can be taken once, whether its neighbours were accepted with it or have gone")
    func remove() throws {
        var accepted = AcceptedJobs()
        #expect(accepted.remove(id(1)) == nil)
        try accepted.add(jobs(10...12))
        try accepted.add(jobs(13...13) + jobs(20...21))
        try accepted.add(jobs(100...400))
        for number in Int64(0)...500 {
            let isThere = 10...13 ~= number || 20...21 ~= number || 100...400 ~= number
            #expect(accepted.contains(id(number)) == isThere)
            #expect(accepted.remove(id(number)) == (isThere ? try job(number) : nil))
            #expect(!accepted.contains(id(number)) && accepted.remove(id(number)) == nil)
        }
        try accepted.add(jobs(501...502))
        #expect(accepted.remove(id(502))?.id == id(502))
    }

    @Test("Batches that were taken in side by side are all found, in whatever order they came")
    func sideBySide() throws {
        var accepted = AcceptedJobs()
        var order: [ClosedRange<Int64>] = stride(from: Int64(1), to: 2000, by: 50).map { $0...$0 + 49 }
        for seed in UInt64(1)...20 {
            var generator = SeededGenerator(seed: seed)
            order.shuffle(using: &generator)
            // Some of them came together.
            for pair in stride(from: 0, to: order.count, by: 2) {
                try accepted.add(jobs(order[pair]) + jobs(order[pair + 1]))
                for number in order[pair].shuffled(using: &generator) {
                    #expect(accepted.remove(id(number))?.id == id(number))
                    #expect(!accepted.contains(id(number)))
                }
            }
            for pair in stride(from: 0, to: order.count, by: 2) {
                #expect(accepted.contains(id(order[pair + 1].lowerBound)))
                accepted.drop(id(order[pair + 1].lowerBound)...id(order[pair + 1].upperBound))
            }
            #expect((Int64(1)...2000).allSatisfy { !accepted.contains(id($0)) })
        }
    }

    @Test("Dropping a range leaves what is on either side of it")
    func drop() throws {
        var accepted = AcceptedJobs()
        accepted.drop(id(1)...id(10))
        for first in stride(from: Int64(1), to: 1000, by: 200) { try accepted.add(jobs(first...first + 199)) }
        accepted.drop(id(150)...id(450))
        accepted.drop(id(990)...id(.max))
        for number in Int64(1)...1000 {
            #expect(accepted.contains(id(number)) == !(150...450 ~= number || number >= 990))
        }
    }

    @Test("What would take too much memory is left to the store, until others have gone")
    func bound() throws {
        var accepted = AcceptedJobs()
        let text = #"{"a":""# + String(repeating: "b", count: 4000) + #""}"#
        for number in Int64(1)...8000 { try accepted.add([job(number, meta: text)]) }
        let kept = (Int64(1)...8000).filter { accepted.contains(id($0)) }
        #expect((2000...4000).contains(kept.count) && kept.last == Int64(kept.count))
        for number in kept { accepted.remove(id(number)) }
        try accepted.add(jobs(9000...9000))
        #expect(accepted.contains(id(9000)))
    }

    @Test("Jobs are alike that differ in their number, URL and name, and in nothing else")
    func alike() throws {
        let (one, other) = (try job(1), try job(2))
        #expect(one.isAlike(other) && other.isAlike(one))
        let changes: [(inout Job) -> Void] = [
            { $0.priority = 1 }, { $0.hasGivenName = true }, { $0.options.weight = 2 },
            { $0.detection = DetectionResult(outcome: .skipped) }, { $0.state = .paused },
            { $0.failure = JobFailure(.storageError, "") }, { $0.endings[.stored] = 1 },
        ]
        for change in changes {
            var changed = other
            change(&changed)
            #expect(!one.isAlike(changed) && !changed.isAlike(one))
        }
    }
}
