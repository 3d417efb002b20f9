import JobCore
import JobModel
import Testing
import Vocabulary

@Suite("Documents that somebody asks to be removed")
struct JobMachineRemovalTests {
    private static let mark = FileMark(inode: 7, length: 100, modified: 1, changed: 2)

    private func ended(_ state: JobState, mark: FileMark? = mark) throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.download()
        if state == .done { try harness.detect() } else { try harness.feed(.cancel) }
        var job = harness.job
        job.documentMark = mark
        harness.machine = JobMachine(job: job)
        (harness.events, harness.effects) = ([], [])
        return harness
    }

    @Test(
        "It is decided, then done, then told, also after a crash in between",
        arguments: [JobState.done, .cancelled]
    )
    func removes(state: JobState) throws {
        var harness = try ended(state)
        try harness.feed(.removeDocument)
        #expect(harness.effects == [.removeDocument(path: "/d/a.jpg", mark: Self.mark)])
        #expect(harness.events.isEmpty && !harness.machine.isForgettable)
        harness.crash()
        try harness.feed(.recovered(nil))
        #expect(harness.effects == [.removeDocument(path: "/d/a.jpg", mark: Self.mark)])
        try harness.remove()
        #expect(harness.events == [.removed(name: "a.jpg")])
        #expect(harness.job.isEvicted && harness.state == state && harness.machine.isForgettable)
        try harness.feed(.removeDocument)
        #expect(harness.refusal == "it has no document")
        try harness.feed(.retry(nil))
        #expect(harness.state == .queued && harness.job.sha256 == nil && harness.job.evictedAt == nil)
    }

    @Test("Not while the job is under way, and not without the mark of what was stored")
    func refuses() throws {
        var unknown = try ended(.done, mark: nil)
        try unknown.feed(.removeDocument)
        #expect(unknown.refusal?.contains("changed") == true && unknown.effects.isEmpty)
        for state in JobState.allCases where !state.isFinal {
            var harness = try MachineHarness()
            try JobMachineWalkTests.bring(&harness, to: state)
            try harness.feed(.removeDocument)
            #expect(harness.refusal == "it hasn't ended", "\(state)")
        }
    }

    @Test("A job that is cancelled while its document gets its name leaves none")
    func cancelledWhilePublished() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin(.fresh, offset: 0)
        try harness.progress(100)
        try harness.end(.completed(length: 100, lengthProven: true))
        let sealed = SealedPartial(inode: 7, length: 100, sha256: "ab", modified: 1)
        harness.isSealing = false
        try harness.feed(.storage(.sealed(sealed, path: "/p/3.part", freeName: "a.jpg")))
        try harness.feed(.cancel)
        try harness.publish(mark: Self.mark)
        #expect(harness.effects.last == .removeDocument(path: "/d/a.jpg", mark: Self.mark))
        try harness.remove()
        #expect(harness.state == .cancelled && harness.job.path == nil)
        #expect(
            harness.events.suffix(2) == [.stored(name: "a.jpg", path: "/d/a.jpg"), .removed(name: "a.jpg")]
        )
    }
}
