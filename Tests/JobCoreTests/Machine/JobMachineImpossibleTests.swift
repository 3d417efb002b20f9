import JobCore
import JobModel
import Testing

/// Tests of what is said of inputs that can't have happened.
struct JobMachineImpossibleTests {
    private let failure = JobFailure(.connectionLost, "the connection broke")

    @Test("Whoever tells of what nobody does is objected to, in words that say what and when")
    func words() throws {
        var harness = try MachineHarness()
        let published = JobInput.storage(.published(path: "/d/secret.jpg"))
        let nothing = harness.machine.handle(published, in: &harness.context)
        let words = "storage.published can't happen to a job that is queued, with nothing under way"
        #expect(nothing.impossibility == words)
        try harness.grantPermit()
        try harness.begin()
        let early = harness.machine.handle(.detectionBegan, in: &harness.context)
        #expect(
            early.impossibility
                == "detectionBegan can't happen to a job that is downloading, with a transfer under way"
        )
    }

    @Test("A report of another part of the way is objected to while a partial is sealed or published")
    func sealingAndPublishing() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(100)
        try harness.end(.completed(length: 100, lengthProven: true))
        let taken = StorageReport.nameTaken(freeName: "b")
        try expectImpossible([.transfer(.progressed(bytes: 1)), .storage(taken)], in: harness)
        try harness.seal()
        let partial = SealedPartial(inode: 7, length: 100, sha256: "ab")
        let sealed = StorageReport.sealed(partial, path: "/p", freeName: "c")
        try expectImpossible([.transfer(.ended(.stopped)), .storage(sealed), .recovered(nil)], in: harness)
    }

    private func expectImpossible(_ inputs: [JobInput], in harness: MachineHarness) throws {
        for input in inputs {
            var harness = harness
            let before = harness.machine
            var decision = harness.machine.handle(input, in: &harness.context)
            #expect(decision.impossibility != nil, "\(input)")
            decision.impossibility = nil
            #expect(decision == JobDecision() && harness.machine == before, "\(input)")
        }
    }

    @Test("What was on its way when somebody steered is late, and no mistake")
    func late() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.feed(.pause)
        try harness.feed(.transfer(.synced(bytes: 0)))
        try harness.feed(.transfer(.restarting(reason: "it changed")))
        try harness.feed(.roomRefused(failure))
        try harness.end(.stopped)
        try harness.feed(.retryDue)
        #expect(harness.state == .paused)
    }
}
