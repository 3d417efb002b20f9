import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of what an operator asks of batches.
@Suite(
    "The batches of a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetBatchesTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .shared()) }

    @Test("What failed is tried again, and recorded again, but for what had header fields, which are gone")
    func retries() throws {
        let batch = try fleet.add(10)
        let secret = try fleet.add(4, headers: #"{"Cookie":"c"}"#)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let all = ClaimPlan.Claim.slice(jobs: 100, perBucket: 100)
        let items = try #require(try queue.claim(all, for: node, timing: Fleet.timing))
        let bare = items.filter { $0.headers == nil }
        _ = try queue.report(Array(bare.prefix(6)), .failed, by: node)
        _ = try queue.report(Array(items.filter { $0.headers != nil }), .failed, by: node)
        #expect(try queue.steer(.cancel, batch: batch) == 4)
        let line = try #require(try queue.batches(latest: 5).last)
        #expect(line.batch == batch && line.failed == 6 && line.cancelled == 4 && line.done == 0)
        #expect(line.failures == "unknown 6" && line.json.contains(#""failures":{"unknown": 6}"#))
        let retried = try #require(try queue.retry(batch: secret, onlyFailed: true))
        #expect(retried == (0, 4))
        #expect(try queue.retry(batch: secret + 1, onlyFailed: true) == nil)
        #expect(try #require(try queue.retry(batch: batch, onlyFailed: true)) == (6, 0))
        let again = try #require(try queue.claim(all, for: node, timing: Fleet.timing))
        #expect(Set(again.map(\.job.job)) == Set(bare.prefix(6).map(\.job.job)))
        // The old slice says nothing of them any more.
        #expect(try queue.report(Array(bare.prefix(6)), by: node).isEmpty)
        #expect(try queue.report(again, by: node).count == 6)
        #expect(try #require(try queue.retry(batch: batch, onlyFailed: false)) == (4, 0))
        #expect(try fleet.number("SELECT count(*) FROM queue", queue) == 4)
    }

    @Test("A job is shown wherever it is, without its header fields")
    func shows() throws {
        let batch = try fleet.add(1, headers: #"{"Cookie":"s3cret"}"#)
        let queue = try fleet.connect()
        let job = try fleet.number("SELECT job FROM queue", queue)
        func shown() throws -> String { try #require(try queue.show(job)) }
        #expect(try shown().contains(#""state":"queued""#) && !shown().contains("s3cret"))
        #expect(try queue.steer(.pause, batch: batch) == 1 && shown().contains(#""state":"paused""#))
        #expect(try queue.steer(.resume, batch: batch) == 1)
        let node = try fleet.node("a", queue)
        let slice = ClaimPlan.Claim.slice(jobs: 9, perBucket: 9)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(try shown().contains(#""state":"held","node":"a""#))
        _ = try queue.report(items, by: node)
        #expect(try shown().contains(#""state":"done","node":"a""#) && shown().contains("file://n/d/"))
        #expect(try queue.show(job + 1) == nil)
    }
}
