import JobCore
import JobModel
import Testing

/// Tests of how often a document is looked at that ends the process that does so.
struct JobMachineDetectionTests {
    private let crashed = DetectionResult(outcome: .crashed, engine: "haar")

    private func downloaded() throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.download()
        return harness
    }

    @Test("A document whose detector gave no answer is looked at once more, and that is written first")
    func secondLook() throws {
        var harness = try downloaded()
        try harness.detect(crashed)
        #expect(harness.state == .detecting)
        #expect(harness.effects.last == .lookAgain)
        #expect(harness.job.detectionAttempts == 2)
        #expect(!harness.events.contains(.detectionFailed(name: "a.jpg", outcome: .crashed)))
        try harness.endDetection(DetectionResult(outcome: .counted))
        #expect(harness.state == .done)
        #expect(harness.job.detectionAttempts == 0)
        #expect(harness.events.filter { $0 == .detectionStarted(name: "a.jpg") }.count == 1)
    }

    @Test("A second end without an answer is the last one, until somebody asks again")
    func last() throws {
        var harness = try downloaded()
        try harness.detect(crashed)
        try harness.endDetection(crashed)
        #expect(harness.state == .done)
        #expect(harness.job.detection?.outcome == .crashed)
        try harness.feed(.detect(DetectionDemand()))
        #expect(harness.job.detectionAttempts == 0)
        try harness.detect(crashed)
        #expect(harness.state == .detecting)
    }

    @Test("The attempts outlive the daemon, which may be what ended")
    func acrossStarts() throws {
        var harness = try downloaded()
        for attempt in 1...4 {
            #expect(!harness.machine.isNotToBeLookedAt)
            try harness.feed(.detectionBegan)
            #expect(harness.job.detectionAttempts == attempt)
            harness.crash()
            try harness.feed(.recovered(nil))
            #expect(harness.state == .stored)
        }
        #expect(harness.machine.isNotToBeLookedAt)
    }

    @Test("A look that we end ourselves is no attempt: by a stop in order, a pause, a cancellation")
    func noFault() throws {
        for input in [JobInput.detectionInterrupted, .pause, .cancel] {
            var harness = try downloaded()
            try harness.feed(.detectionBegan)
            try harness.feed(input)
            #expect(harness.job.detectionAttempts == 0)
            #expect(harness.state != .detecting)
        }
    }

    @Test("Whoever looked after a crash and is stopped in order has one attempt left, as before")
    func stoppedAfterCrash() throws {
        var harness = try downloaded()
        try harness.feed(.detectionBegan)
        harness.crash()
        try harness.feed(.recovered(nil))
        for _ in 1...5 {
            try harness.feed(.detectionBegan)
            try harness.feed(.detectionInterrupted)
        }
        #expect(harness.job.detectionAttempts == 1)
    }
}
