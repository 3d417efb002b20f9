import EngineSupport
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of how an engine takes up documents that wait: of most it reads no more than a few words.
struct WaitingStartTests {
    private func harness(_ count: Int, isOpen: Bool) throws -> EngineHarness {
        let harness = try EngineHarness(JobEngineConfiguration(detections: 1, sliceSize: 2))
        try harness.turn(.setGate(open: isOpen, reply: { _ in }))
        _ = try harness.submit((1...count).map { "http://example.org/\($0).jpg" })
        for job in 1...count { try harness.download(Int64(job)) }
        return harness
    }

    private func told(_ harness: EngineHarness) -> [JobID] {
        harness.outside.all.events.filter { event in
            if case .detectionDeferred = event.kind { true } else { false }
        }.map(\.job)
    }

    private func ids(_ numbers: Int64...) -> [JobID] { numbers.map { JobID(rawValue: $0) } }

    @Test("Documents that wait for a held gate are not read, and not told of again")
    func held() throws {
        let harness = try harness(5, isOpen: false)
        #expect(told(harness) == ids(1, 2, 3, 4, 5))
        harness.store.read.withLock { $0 = [] }
        try harness.restart()
        for _ in 0..<5 { try harness.turn() }
        let read = harness.store.read.withLock { $0 }
        #expect(read.isEmpty)
        #expect(harness.core.status.waitingDetections == 5 && told(harness).isEmpty)
        try harness.turn(.setGate(open: true, reply: { _ in }))
        #expect(harness.outside.all.detecting == ids(1))
        _ = try harness.steer(.cancel, 2)
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted, engine: "haar")))
        #expect(harness.outside.all.detecting == ids(1, 3))
    }

    @Test("Those of which nobody has been told that they wait are told of once, a few in each turn")
    func untold() throws {
        let harness = try harness(6, isOpen: true)
        #expect(harness.outside.all.detecting == ids(1) && told(harness).isEmpty)
        try harness.turn(.setGate(open: false, reply: { _ in }))
        _ = try harness.steer(.pause, 4)
        try harness.restart()
        // What was being looked at is taken up by itself.
        #expect(told(harness) == ids(1, 2, 3))
        try harness.turn()
        #expect(told(harness) == ids(1, 2, 3, 5, 6))
        #expect(try harness.turn() == nil)
        _ = try harness.steer(.resume, 4)
        #expect(told(harness) == ids(1, 2, 3, 5, 6, 4))
        try harness.restart()
        for _ in 0..<5 { try harness.turn() }
        #expect(told(harness).isEmpty)
    }

    @Test("Once the gate is open they wait for nothing but their turn, and nobody is told")
    func opened() throws {
        let harness = try harness(6, isOpen: true)
        try harness.turn(.setGate(open: false, reply: { _ in }))
        try harness.restart()
        #expect(told(harness) == ids(1, 2, 3))
        try harness.turn(.setGate(open: true, reply: { _ in }))
        try harness.turn(.setGate(open: false, reply: { _ in }))
        for _ in 0..<5 { try harness.turn() }
        #expect(told(harness) == ids(1, 2, 3))
    }

    @Test("What was being looked at when the daemon ended is looked at first, however many wait")
    func first() throws {
        let harness = try EngineHarness(JobEngineConfiguration(detections: 1))
        _ = try harness.submit((1...4).map { "http://example.org/\($0).jpg" })
        for job: Int64 in [3, 1, 2, 4] { try harness.download(job) }
        #expect(harness.outside.all.detecting == ids(3))
        try harness.restart()
        #expect(harness.outside.all.detecting == ids(3))
        for job in ids(3, 1) {
            try harness.turn(.detected(job, DetectionResult(outcome: .counted, engine: "haar")))
        }
        #expect(harness.outside.all.detecting == ids(3, 1, 2))
    }
}
