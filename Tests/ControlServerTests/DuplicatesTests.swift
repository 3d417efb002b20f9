import JobCore
import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Duplicates, which are looked for for one client at a time")
struct DuplicatesTests {
    private let query = Duplicates.Query(filter: JobFilter(), endedAfter: nil, distance: 16)

    /// Documents so far from each other that all have to be compared.
    private func strangers(_ count: Int) -> LikenessDocuments {
        var random = SeededGenerator(seed: 3)
        var documents = LikenessDocuments()
        for job in 1...count {
            let bits = UInt64.random(in: 1...UInt64.max, using: &random)
            documents.append(job: Int64(job), fingerprint: Fingerprint(bits: bits), content: .unknown)
        }
        return documents
    }

    @Test("others are told to come again meanwhile, and nothing is looked for any more for one who has gone")
    func gone() async throws {
        let directory = try TemporaryDirectory()
        let store = try JobStore(path: directory.path("facefetch.sqlite"))
        let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
        let (permits, permitted) = AsyncStream.makeStream(of: Void.self)
        let many = strangers(60_000)
        let slow = CountedQueries(store) {
            begun.yield()
            for await _ in permits { break }
            return many
        }
        let few = strangers(2)
        let quick = CountedQueries(store) { few }
        let (duplicates, query) = (Duplicates(), query)
        let task = Task { try await duplicates.find(query, among: slow) }
        for await _ in beginnings { break }
        await #expect(throws: Duplicates.Busy.self) { _ = try await duplicates.find(query, among: quick) }
        permitted.yield()
        task.cancel()
        await #expect(throws: (any Error).self) { _ = try await task.value }
        #expect(try await duplicates.find(query, among: quick).groups.count == 0)
    }
}
