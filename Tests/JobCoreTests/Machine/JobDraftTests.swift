import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

/// Tests that what has to be written of a job follows from what was changed in it.
struct JobDraftTests {
    private let now = Moment(microseconds: 1_795_243_503_000_000)

    private func draft() throws -> JobDraft {
        JobDraft(
            Job(
                id: JobID(rawValue: 1),
                batch: BatchID(rawValue: 1),
                createdAt: now,
                url: try JobURL("http://example.org/a.jpg"),
                name: "a.jpg"
            )
        )
    }

    @Test("A job that nobody has changed is not written, and one that was is written once")
    func changed() throws {
        var draft = try draft()
        let unchanged = draft.takeChange(hasConsequences: true)
        draft.job.waiting = nil
        draft.job.priority = 3
        let changed = draft.takeChange(hasConsequences: false)
        let again = draft.takeChange(hasConsequences: true)
        #expect([unchanged, changed, again] == [false, true, false])
    }

    @Test("Bytes alone are not worth a commit: they are written with the next thing that follows")
    func bytes() throws {
        var draft = try draft()
        draft.arrived(10)
        let alone = draft.takeChange(hasConsequences: false)
        let withOthers = draft.takeChange(hasConsequences: true)
        #expect(draft.job.bytes == 10 && [alone, withOthers] == [false, true])
        draft.arrived(10)
        let noMore = draft.takeChange(hasConsequences: true)
        draft.job.priority = 3
        draft.arrived(20)
        let besides = draft.takeChange(hasConsequences: false)
        #expect([noMore, besides] == [false, true], "they don't hide what else was changed")
    }

    @Test("The bytes that a stopping transfer brought are stored when it has stopped")
    func stopping() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(5)
        try harness.feed(.pause)
        try harness.progress(9)
        let decision = harness.machine.handle(.transfer(.ended(.stopped)), in: &harness.context)
        #expect(decision.isDirty && harness.job.bytes == 9)
    }

    @Test("A run of the machine vouches for a partial once a body of its own has begun")
    func trust() {
        var trust = PartialTrust()
        var boots = [trust.bodyBegan(after: "earlier")]
        trust.awaitAnswer(boot: "now")
        #expect(!trust.isOfThisRun)
        boots.append(trust.bodyBegan(after: "earlier"))
        #expect(trust.isOfThisRun)
        boots.append(trust.bodyBegan(after: "now"))
        trust.forget(boot: "now")
        #expect(!trust.isOfThisRun)
        boots.append(trust.bodyBegan(after: nil))
        #expect(boots == ["earlier", "now", "now", "now"])
    }
}
