import JobCore
import JobModel
import Testing

/// Tests of how a job knows what a partial with holes is worth.
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
        #expect(harness.effects.filter { $0 == .confirmTransfer }.count == 2)
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
            #expect(harness.effects.contains(.startTransfer(resume: nil)))
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
        #expect(decision.moves.isEmpty && decision.effects == [.startTransfer(resume: point)])
        #expect(machine.job.bytes == 50)
    }

    @Test("What survived a kill is not fetched again, and not claimed in the store before it is synced")
    func surviving() throws {
        for (text, held) in [
            ("0-30,60-90", "0-30,50-90"), ("95-100", "0-20,50-80,95-100"), ("0-10", "0-20,50-80"),
            // Whole, and unsynced: a last byte is asked for.
            ("0-60,70-100", "0-99"), ("20-50,80-200", "0-99"),
        ] {
            var harness = try segmented()
            harness.crash()
            try harness.feed(.recovered(nil))
            var machine = harness.machine
            let surviving = SegmentMap(text: text)
            let decision = machine.handle(
                .permitGranted(partialLength: 100, surviving: surviving),
                in: &harness.context
            )
            let all = try #require(SegmentMap(text: held))
            let point = ResumePoint(
                offset: all.prefix,
                total: 100,
                validator: .entityTag("\"v1\""),
                held: all,
                unsyncedCount: all.count - 50
            )
            #expect(decision.effects == [.startTransfer(resume: point)])
            #expect(machine.job.bytes == all.count)
            #expect(machine.job.segments == map)
            _ = machine.handle(.transfer(.kept(all)), in: &harness.context)
            #expect(machine.job.segments == all)
        }
    }

    @Test("Nor is a byte claimed in the store that is cut off, to be asked for")
    func cutOff() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.feed(.transfer(.kept(SegmentMap())))
        try harness.feed(.transfer(.kept(try #require(SegmentMap(text: "0-20,50-100")))))
        harness.crash()
        try harness.feed(.recovered(nil))
        var machine = harness.machine
        let surviving = SegmentMap(prefix: 60)
        let permit = JobInput.permitGranted(partialLength: 100, surviving: surviving)
        guard case .startTransfer(let point?) = machine.handle(permit, in: &harness.context).effects.first
        else {
            Issue.record("it is not resumed")
            return
        }
        #expect(point.held?.text == "0-99")
        #expect(point.unsyncedCount == 30)
        #expect(machine.job.segments?.text == "0-20,50-99")
    }

    @Test("What survived is of no use beyond the partial's end, or where the store has no map")
    func survivingInVain() throws {
        var harness = try segmented()
        harness.crash()
        try harness.feed(.recovered(nil))
        var machine = harness.machine
        let surviving = SegmentMap(prefix: 90)
        let permit = JobInput.permitGranted(partialLength: 70, surviving: surviving)
        let effects = machine.handle(permit, in: &harness.context).effects
        guard case .startTransfer(let point?) = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(point.held == SegmentMap(prefix: 70))
        #expect(point.unsyncedCount == 30)

        var single = try MachineHarness()
        try single.grantPermit()
        try single.begin()
        try single.progress(60)
        single.crash()
        try single.feed(.recovered(nil))
        machine = single.machine
        let plain = ResumePoint(offset: 60, total: 100, validator: .entityTag("\"v1\""))
        let again = machine.handle(
            .permitGranted(partialLength: 60, surviving: surviving),
            in: &single.context
        )
        #expect(again.effects == [.startTransfer(resume: plain)])
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
        #expect(harness.effects.contains(.startTransfer(resume: nil)))
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
