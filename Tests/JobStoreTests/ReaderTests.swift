import Dispatch
import Foundation
import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of who can read the store while others do.
struct ReaderTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Readings that last until they are ended.
    private final class Readings: Sendable {
        private let end = DispatchSemaphore(value: 0)
        private let ended = DispatchGroup()

        /// Begins a reading, and returns once it is under way.
        func begin(_ reader: any DatabaseReader) {
            let begun = DispatchSemaphore(value: 0)
            ended.enter()
            Thread { [self] in
                defer { ended.leave() }
                do {
                    try reader.read { _ in
                        begun.signal()
                        end.wait()
                    }
                } catch {
                    Issue.record(error)
                }
            }.start()
            begun.wait()
        }

        func end(_ count: Int) {
            for _ in 0..<count { end.signal() }
            ended.wait()
        }
    }

    private func filledStore() throws -> JobStore {
        let store = try open()
        var changes = StoreChanges()
        changes.newBatches = [batch(jobs: 2, key: "k")]
        var looked = try job(1)
        looked.state = .done
        looked.path = "/d/1.jpg"
        looked.sha256 = "ff"
        looked.detection = DetectionResult(outcome: .counted, engine: "haar", parameters: "p")
        changes.newJobs = [looked, try job(2)]
        try store.commit(changes)
        return store
    }

    @Test(
        "The engine reads and writes, however many clients read and search at the moment",
        .timeLimit(.minutes(1))
    )
    func engine() throws {
        let store = try filledStore()
        let count = store.database.configuration.maximumReaderCount
        let readings = Readings()
        for _ in 0..<count { readings.begin(store.database) }
        readings.begin(store.searchReader.queue)
        defer { readings.end(count + 1) }

        #expect(try store.jobs([JobID(rawValue: 2)]).count == 1)
        #expect(try store.jobIDs(in: [.queued]).map(\.rawValue) == [2])
        #expect(try store.submitter(of: JobID(rawValue: 2)) == 1000)
        let detector = DetectorIdentity(engine: "haar", parameters: "p")
        #expect(try store.detection(ofBytes: "ff", by: detector)?.job.rawValue == 1)
        #expect(try store.acceptedBatch(idempotencyKey: "k", of: 1000)?.jobs.count == 2)
        var changes = StoreChanges()
        changes.detectionGateOpen = false
        try store.commit(changes)
    }

    @Test("What is searched leaves the other readers to those who ask for less", .timeLimit(.minutes(1)))
    func searches() async throws {
        let store = try filledStore()
        let count = store.database.configuration.maximumReaderCount
        let readings = Readings()
        for _ in 0..<count { readings.begin(store.database) }
        #expect(try await store.jobs(JobFilter(text: "2.jpg"), after: nil, limit: 10).items.count == 1)
        #expect(try await store.lastEvent(before: accepted.wall) == 0)
        readings.end(count)

        readings.begin(store.searchReader.queue)
        #expect(try await store.job(JobID(rawValue: 1)) != nil)
        #expect(try await store.jobs(JobFilter(state: .queued), after: nil, limit: 10).items.count == 1)
        readings.end(1)
    }
}
