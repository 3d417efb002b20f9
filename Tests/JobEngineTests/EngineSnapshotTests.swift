import EngineSupport
import JobModel
import Testing

@testable import JobEngine

/// Tests of what anybody is told of the engine between its turns.
struct EngineSnapshotTests {
    @Test("The engine that looks is that of the detectors in use, also if they came after the last turn")
    func detectors() throws {
        let harness = try EngineHarness()
        let outside = harness.outside
        let snapshot = EngineSnapshot(startedAt: Moment(microseconds: 1))
        snapshot.begin(
            store: harness.store,
            documents: outside,
            detection: outside,
            hasDefaultRoute: { true },
            observer: { _ in }
        )
        #expect(snapshot.status().status.detectionEngine == "haar")
        outside.change { $0.identity = DetectorIdentity(engine: "yunet", parameters: "p") }
        #expect(snapshot.status().status.detectionEngine == "yunet")
    }
}
