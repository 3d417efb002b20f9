import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of documents that are compared with the record.
@Suite(
    "Documents that no record names",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetDocumentsTests {
    private let fleet: Fleet
    private let queue: FleetQueue

    init() throws {
        fleet = try Fleet(on: .shared())
        queue = try fleet.connect()
    }

    /// Returns those of some files that no record names, given in pieces of two.
    private func unrecorded(_ files: [String]) throws -> [String] {
        var rest = files[...]
        var found: [String] = []
        try queue.unrecorded {
            defer { rest = rest.dropFirst(2) }
            return rest.isEmpty
                ? nil
                : rest.prefix(2).map {
                    FleetQueue.ListedDocument(
                        line: $0,
                        addresses: DocumentStatements.addresses(of: $0) ?? []
                    )
                }
        } _: {
            found += $0
        }
        return found
    }

    @Test("What is fetched again leaves its first document, and what is forgotten stays known unless wholly")
    func leftBehind() throws {
        try fleet.add(4)
        let node = try fleet.node("a", queue)
        let all = ClaimPlan.Claim.slice(jobs: 100, perBucket: 100)
        let items = try #require(try queue.claim(all, for: node, timing: Fleet.timing))
        #expect(try queue.report(items, by: node).count == 4)
        let files = ["/d/4.jpg", "/d/none \\ of\u{E9}.jpg", "/d/1.jpg", "/d/2.jpg", "/d/3.jpg"]
        #expect(try unrecorded(files) == [files[1]])
        // By a path that is the record itself, where nodes have documents in common, and by one that another node has.
        try queue.connection.execute("UPDATE results SET document = '/d/1.jpg' WHERE document LIKE '%/1.jpg'")
        #expect(try unrecorded(files + ["file://other/d/3.jpg"]) == [files[1]])
        #expect(
            try queue.steer(.retry, JobSelection([.done]).with { $0.jobs = [2] }).changed == 1
                && unrecorded(files) == [files[1], "/d/2.jpg"]
        )
        #expect(try queue.steer(.cancel, jobs: [2]) == 1)
        try queue.connection.execute(
            """
            UPDATE batches SET created_at = now() - interval '9 days';
            UPDATE results SET finished_at = now() - interval '9 days'
            """
        )
        #expect(try queue.forget(endedBefore: .seconds(86_400)) == 4)
        #expect(try unrecorded(files) == [files[1], "/d/2.jpg"])
        #expect(try queue.forget(endedBefore: .seconds(86_400), wholly: true) == 0)
        #expect(try unrecorded([]) == [])
        // Nothing of it is recorded: it may be another fleet's list.
        #expect { try unrecorded(files) } throws: { error in
            (error as? FleetFailure)?.message.contains("any of the 5 documents of the list") == true
        }
    }

    @Test("A long list is told in its order")
    func long() throws {
        try fleet.add(1)
        let all = ClaimPlan.Claim.slice(jobs: 100, perBucket: 100)
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(all, for: node, timing: Fleet.timing))
        #expect(try queue.report(items, by: node).count == 1)
        let files = (0..<2500).map { "/d/\($0 * 7 % 2500)-x.jpg" }
        #expect(try unrecorded(["/d/1.jpg"] + files) == files)
    }
}
