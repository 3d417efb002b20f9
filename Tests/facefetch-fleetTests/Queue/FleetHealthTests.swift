import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// What others made of jobs, by which a node is judged.
@Suite(
    "Jobs of other nodes",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
struct FleetHealthTests {
    @Test("Jobs of others are counted, all and in buckets, without those that failed for themselves")
    func others() throws {
        let fleet = try Fleet(on: .shared())
        try fleet.add(60, hosts: 60)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let slice = ClaimPlan.Claim.slice(jobs: 60, perBucket: 60)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        let next = try other.register(name: "b", store: "s of b", timing: Fleet.timing)
        func fail(_ items: ArraySlice<ClaimedItem>, _ code: String) throws {
            var plan = ReportPlan()
            plan.records = items.map { item in
                var record = FleetRecord(job: item.job, state: .failed)
                record.error = FleetRecord.errorJSON(code: code, message: "")
                return record
            }
            #expect(try queue.report(plan, through: 1, by: node).count == items.count)
        }
        _ = try queue.report(Array(items[..<20]), by: node)
        try fail(items[20..<30], "http_404")
        try fail(items[30..<45], "dns")
        #expect(try other.others(than: next) == (35, 15) && queue.others(than: node) == (0, 0))
        func there(_ items: ArraySlice<ClaimedItem>) throws -> [Int] {
            let buckets = Set(items.map(\.bucket))
            let all = try other.others(than: next, in: buckets, within: .seconds(600))
            #expect(try queue.others(than: node, in: buckets, within: .seconds(600)) == (0, 0))
            return [all.ended, all.failed]
        }
        let failed = try there(items[30..<45])
        #expect(failed[1] >= 15 && failed[0] >= failed[1])
        #expect(try there(items[0..<60]) == [35, 15] && there([]) == [0, 0])
        #expect(try other.others(than: next, in: Set(items.map(\.bucket)), within: .zero) == (0, 0))
    }
}
