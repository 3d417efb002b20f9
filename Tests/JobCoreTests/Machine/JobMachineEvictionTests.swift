import JobCore
import JobModel
import Testing
import Vocabulary

/// The removal of documents to make room.
struct JobMachineEvictionTests {
    private static let mark = FileMark(inode: 7, length: 100, modified: 1, changed: 2)

    /// A job that is done, of a source that lets its documents go.
    private func done(_ change: (inout Job) -> Void = { _ in }) throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.download()
        try harness.detect(DetectionResult(outcome: .counted, engine: "haar"))
        var job = harness.job
        job.isEvictable = true
        job.documentMark = Self.mark
        change(&job)
        harness.machine = JobMachine(job: job)
        (harness.events, harness.effects) = ([], [])
        return harness
    }

    @Test("It is decided, then done, then told; the result stays, and so does the ending")
    func eviction() throws {
        var harness = try done()
        let before = harness.job
        try harness.feed(.evict)
        #expect(harness.effects == [.removeDocument(path: "/d/a.jpg", mark: Self.mark)])
        #expect(harness.events.isEmpty && harness.job.isBeingEvicted && !harness.machine.isForgettable)
        try harness.remove()
        #expect(harness.events == [.evicted(name: "a.jpg")])
        #expect(harness.job.isEvicted && harness.state == .done && harness.machine.isForgettable)
        #expect(harness.job.detection == before.detection && harness.job.sha256 == before.sha256)
        #expect(harness.job.endings == before.endings && harness.job.finishedAt == before.finishedAt)
    }

    @Test("After a crash in between, the removal goes on")
    func crash() throws {
        var harness = try done()
        try harness.feed(.evict)
        harness.crash()
        try harness.feed(.recovered(nil))
        #expect(harness.effects == [.removeDocument(path: "/d/a.jpg", mark: Self.mark)])
        try harness.remove()
        harness.crash()
        try harness.feed(.recovered(nil))
        #expect(harness.effects.isEmpty && harness.job.isEvicted)
    }

    @Test("A document that isn't what was stored stays, and nothing is told")
    func kept() throws {
        var harness = try done()
        try harness.feed(.evict)
        try harness.feed(.storage(.notRemoved))
        #expect(harness.events.isEmpty && harness.job.evictedAt == nil && harness.job.path == "/d/a.jpg")
    }

    @Test("Nothing else is ever removed")
    func protected() throws {
        let changes: [(inout Job) -> Void] = [
            { $0.isPinned = true }, { $0.isEvictable = false }, { $0.documentMark = nil },
            { $0.evictedAt = $0.createdAt.wall },
        ]
        for change in changes {
            var harness = try done(change)
            #expect(throws: MachineHarness.Illegal.self) { try harness.feed(.evict) }
        }
        for state in JobState.allCases where state != .done {
            var harness = try MachineHarness()
            try JobMachineWalkTests.bring(&harness, to: state)
            var job = harness.job
            job.isEvictable = true
            job.documentMark = Self.mark
            var machine = JobMachine(job: job)
            #expect(machine.handle(.evict, in: &harness.context).impossibility != nil, "\(state)")
        }
    }

    @Test("A retry fetches it again, with a result of its own; nothing else can be done to it")
    func again() throws {
        var harness = try done()
        try harness.feed(.evict)
        for input in [JobInput.detect(DetectionDemand()), .pin(true)] {
            try harness.feed(input)
            #expect(harness.refusal != nil && harness.job.isBeingEvicted)
        }
        try harness.remove()
        for input in [JobInput.detect(DetectionDemand()), .pin(true), .pause, .cancel] {
            try harness.feed(input)
            #expect(harness.refusal != nil && harness.job.isEvicted)
        }
        try harness.feed(.retry(nil))
        #expect(harness.state == .queued && harness.isQueued)
        #expect(harness.job.evictedAt == nil && harness.job.detection == nil && harness.job.sha256 == nil)
        try harness.download()
        try harness.detect()
        #expect(harness.state == .done && harness.job.path == "/d/a.jpg")
        #expect(harness.events.filter { $0 == .progressed(name: "a.jpg", percent: 100) }.count == 1)
    }

    @Test("A pin and a use are kept with the job, and only told to whoever asks")
    func pins() throws {
        var harness = try done()
        try harness.feed(.pin(true))
        try harness.feed(.pin(true))
        #expect(harness.job.isPinned && harness.refusal == nil)
        try harness.feed(.pin(false))
        #expect(!harness.job.isPinned)
        let time = harness.now.adding(seconds: 5).steady
        try harness.feed(.served(at: time))
        #expect(harness.job.servedAt == time && harness.events.isEmpty)
    }
}
