import JobCore
import Testing

/// How a job knows what a partial with holes is worth.
struct JobMachineSegmentTests {
    private let map = SegmentMap(text: "0-20,50-80") ?? SegmentMap()
    private let cut = JobFailure(.connectionLost, "the connection broke")

    private func segmented() throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.feed(.transfer(.kept(SegmentMap())))
        try harness.feed(.transfer(.kept(map)))
        return harness
    }

    @Test("Every map that is in the store is confirmed")
    func confirm() throws {
        let harness = try segmented()
        #expect(harness.deeds.filter { $0 == .confirmTransfer }.count == 2)
        #expect(harness.job.segments == map)
    }

    @Test("What is synced of one stream is what a power cut leaves")
    func synced() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(60)
        try harness.feed(.transfer(.synced(bytes: 40)))
        #expect(harness.job.durableBytes == 40)
        #expect(harness.job.segments == nil)
    }

    @Test("A disk that fails discards the partial: the file waits, and comes anew")
    func damaged() throws {
        for isStopping in [false, true] {
            var harness = try segmented()
            if isStopping { try harness.feed(.pause) }
            try harness.end(.damaged(JobFailure(.storageError, "the partial can't be synced: I/O error")))
            #expect(harness.partialLength == nil)
            #expect(harness.job.segments == nil)
            #expect(harness.job.validator == nil)
            #expect(harness.state == (isStopping ? .paused : .waiting))
            #expect(harness.events.contains { if case .restarted = $0 { true } else { false } })
            try harness.feed(isStopping ? .resume : .retryDue)
            try harness.grantPermit()
            #expect(harness.deeds.contains(.startTransfer(resume: nil)))
        }
    }

    @Test("After a kill the map is believed, and the file's length is not")
    func kill() throws {
        var harness = try segmented()
        harness.crash()
        harness.partialLength = 100
        try harness.feed(.recovered(nil))
        var machine = harness.machine
        let decision = machine.handle(.permitGranted(partialLength: 100), in: &harness.context)
        let point = ResumePoint(offset: 20, total: 100, validator: .entityTag("\"v1\""), held: map)
        #expect(decision.moves.isEmpty && decision.deeds == [.startTransfer(resume: point)])
        #expect(machine.job.bytes == 50)
    }

    @Test("What a map claims behind the end of the partial is not believed")
    func clipped() throws {
        var harness = try segmented()
        harness.crash()
        try harness.feed(.recovered(nil))
        var machine = harness.machine
        _ = machine.handle(.permitGranted(partialLength: 60), in: &harness.context)
        #expect(machine.job.segments?.text == "0-20,50-60")
    }

    @Test("A map of nothing makes a fresh start of a partial of any length")
    func nothing() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.feed(.transfer(.kept(SegmentMap())))
        harness.crash()
        harness.partialLength = 100
        try harness.feed(.recovered(nil))
        try harness.grantPermit()
        #expect(harness.deeds.contains(.startTransfer(resume: nil)))
        #expect(harness.job.segments == nil)
    }

    @Test("A complete file has no holes, and no map")
    func complete() throws {
        var harness = try segmented()
        try harness.end(.completed(length: 100, lengthProven: true))
        #expect(harness.job.segments == nil)
    }

    @Test("A cancelled job takes no map from its stopping transfer")
    func cancelled() throws {
        var harness = try segmented()
        try harness.feed(.cancel)
        try harness.feed(.transfer(.kept(map)))
        #expect(harness.job.segments == nil)
        try harness.end(.stopped)
    }
}
