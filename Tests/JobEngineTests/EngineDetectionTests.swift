import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of which documents detectors look at, and which share a result.
struct EngineDetectionTests {
    private func harness(_ count: Int, detections: Int = 2) throws -> EngineHarness {
        let harness = try EngineHarness(JobEngineConfiguration(detections: detections))
        _ = try harness.submit((1...count).map { "http://example.org/\($0).jpg" })
        return harness
    }

    private func found(
        _ outcome: DetectionOutcome = .counted,
        engine: String = "haar",
        parameters: String = "p"
    ) -> DetectionResult {
        DetectionResult(
            outcome: outcome,
            faces: outcome == .counted ? [Face(x: 1, y: 2, width: 3, height: 4, confidence: 5)] : [],
            engine: engine,
            parameters: parameters,
            seconds: 0.5
        )
    }

    /// Answers as often as it takes: a crash is seen twice before it is believed.
    private func answer(_ harness: EngineHarness, _ job: Int64, _ result: DetectionResult) throws {
        for _ in 1...(result.outcome == .crashed ? 2 : 1) {
            try harness.turn(.detected(JobID(rawValue: job), result))
        }
    }

    private func detected(_ harness: EngineHarness, _ job: Int64) -> Bool {
        harness.outside.all.detecting.contains(JobID(rawValue: job))
    }

    @Test(
        "The same bytes are looked at once, and the result is shared and says so",
        arguments: [
            DetectionOutcome.counted, .unreadable, .crashed,
        ]
    )
    func shared(_ outcome: DetectionOutcome) throws {
        let harness = try harness(3)
        try harness.download(1, content: "ab")
        try answer(harness, 1, found(outcome))
        for job in Int64(2)...3 {
            try harness.download(job, content: "ab")
            let shared = try #require(try harness.stored(job))
            #expect(shared.state == .done)
            #expect(shared.detection?.outcome == outcome)
            #expect(shared.detection?.faces == found(outcome).faces)
            #expect(shared.detection?.sharedFrom == JobID(rawValue: 1))
        }
        #expect(Set(harness.outside.all.detecting) == [JobID(rawValue: 1)])
        #expect(harness.outside.lines.filter { $0.hasSuffix(", the same bytes as j1") }.count == 2)
    }

    @Test(
        "Where nothing is looked at by itself, documents are done without, and a person gets a look all the same"
    )
    func never() throws {
        let harness = try EngineHarness(JobEngineConfiguration(detections: 2, looksByItself: false))
        _ = try harness.submit(["http://example.org/1.jpg"])
        try harness.download(1, content: "ab")
        let done = try #require(try harness.stored(1))
        #expect(done.state == .done && done.detection?.outcome == .skipped && done.detection?.engine == "")
        #expect(harness.outside.all.detecting.isEmpty)
        _ = try harness.steer(.detect(), 1)
        #expect(detected(harness, 1))
        try answer(harness, 1, found())
        #expect(try harness.stored(1)?.detection?.faces.count == 1)
    }

    @Test("Documents of one content that arrive together wait for the first one's result, in one turn")
    func together() throws {
        let harness = try harness(4, detections: 4)
        for job in Int64(1)...3 { try harness.download(job, content: "ab") }
        try harness.download(4, content: "cd")
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1, 4])
        #expect(harness.core.status.waitingDetections == 2)
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        for job in Int64(2)...3 {
            #expect(try harness.stored(job)?.detection?.sharedFrom == JobID(rawValue: 1))
        }
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1, 4])
    }

    /// Has somebody write to a job's document, or put another in its place.
    private func edit(_ harness: EngineHarness, _ job: Int64, _ change: (inout FileMark) -> Void) throws {
        let path = "/d/\(job).jpg"
        var mark = try #require(harness.outside.all.marks[path])
        change(&mark)
        harness.outside.change { $0.marks[path] = mark }
    }

    @Test("The result of a document that was changed before it was looked at is no other's, also later")
    func changedFirst() throws {
        let changes: [(inout FileMark) -> Void] = [
            { $0.inode += 1 }, { $0.length += 1 }, { $0.modified += 1 }, { $0.changed += 1 },
        ]
        for change in changes {
            let harness = try harness(3)
            try harness.download(1, content: "ab")
            try edit(harness, 1, change)
            try harness.turn(.detected(JobID(rawValue: 1), found()))
            #expect(try harness.stored(1)?.detection?.faces.count == 1)
            try harness.download(2, content: "ab")
            #expect(detected(harness, 2))
            try harness.restart()
            #expect(detected(harness, 2))
            try harness.turn(.detected(JobID(rawValue: 2), found(.unreadable)))
            try harness.download(3, content: "ab")
            #expect(try harness.stored(3)?.detection?.sharedFrom == JobID(rawValue: 2))
        }
    }

    @Test("A document that was changed takes no other's result, and neither does one that is gone")
    func changedTwin() throws {
        let harness = try harness(3)
        for job in Int64(1)...3 { try harness.download(job, content: "ab") }
        try edit(harness, 2) { $0.changed += 1 }
        harness.outside.change { $0.marks["/d/3.jpg"] = nil }
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        #expect(try harness.stored(1)?.detection?.isOfChangedDocument == false)
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1, 2])
        try harness.turn(.detected(JobID(rawValue: 2), found(.unreadable)))
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1, 2, 3])
    }

    @Test(
        "A second look at a document that isn't there costs no result, and says why",
        arguments: [true, false]
    )
    func missing(isThereAgain: Bool) throws {
        let harness = try harness(1)
        try harness.download(1, content: "ab")
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        let before = try #require(try harness.stored(1))
        let mark = harness.outside.all.marks["/d/1.jpg"]
        harness.outside.change { $0.marks["/d/1.jpg"] = nil }
        _ = try harness.steer(.detect(), 1)
        // A folder has its name now.
        let answer = DetectionResult(outcome: .unreadable, reason: "is not a regular file", engine: "haar")
        try harness.turn(.detected(JobID(rawValue: 1), answer))
        let after = try #require(try harness.stored(1))
        #expect(after.state == .done && after.detection == before.detection)
        #expect(after.endings == before.endings)
        let line = try #require(harness.outside.lines.last)
        #expect(line.hasSuffix("unreadable, can't be opened; the result that it has stands"), "\(line)")
        guard isThereAgain else { return }
        harness.outside.change { $0.marks["/d/1.jpg"] = mark }
        _ = try harness.steer(.detect(), 1)
        try harness.turn(.detected(JobID(rawValue: 1), found(.unreadable)))
        #expect(try harness.stored(1)?.detection?.outcome == .unreadable)
    }

    @Test("What is known of documents outlives the daemon")
    func knownAfterRestart() throws {
        let harness = try harness(2, detections: 1)
        for job in Int64(1)...2 { try harness.download(job, content: "ab") }
        try harness.core.settle(now: harness.now)
        try harness.restart()
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        #expect(try harness.stored(2)?.detection?.sharedFrom == JobID(rawValue: 1))
    }

    @Test("A result that says something about the moment is not shared, and the next one is looked at")
    func notShareable() throws {
        let harness = try harness(2)
        for job in Int64(1)...2 { try harness.download(job, content: "ab") }
        try harness.turn(.detected(JobID(rawValue: 1), found(.timedOut)))
        #expect(detected(harness, 2))
        try harness.turn(.detected(JobID(rawValue: 2), found()))
        #expect(try harness.stored(2)?.detection?.sharedFrom == nil)
    }

    @Test("Another engine, or other parameters, look for themselves")
    func otherIdentity() throws {
        let harness = try harness(3)
        try harness.download(1, content: "ab")
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        for (job, identity) in [
            (Int64(2), DetectorIdentity(engine: "yunet", parameters: "p")),
            (3, DetectorIdentity(engine: "haar", parameters: "q")),
        ] {
            harness.outside.change { $0.identity = identity }
            try harness.download(job, content: "ab")
            #expect(detected(harness, job))
            try harness.turn(
                .detected(
                    JobID(rawValue: job),
                    found(engine: identity.engine, parameters: identity.parameters)
                )
            )
        }
    }

    @Test("Who asks for detection gets a detector, also where the result is known")
    func again() throws {
        let harness = try harness(2)
        for job in Int64(1)...2 { try harness.download(job, content: "ab") }
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        #expect(try harness.stored(2)?.detection?.sharedFrom == JobID(rawValue: 1))
        #expect(try harness.steer(.detect(), 2).get().state == .stored)
        #expect(detected(harness, 2))
        try harness.turn(.detected(JobID(rawValue: 2), found()))
        #expect(try harness.stored(2)?.detection?.sharedFrom == nil)
        #expect(try harness.stored(2)?.detectionDemand == nil)
    }

    @Test("An engine that is asked for is the one that looks, also after a restart")
    func engine() throws {
        let configuration = JobEngineConfiguration(engines: [.haar, .yunet])
        let harness = try EngineHarness(configuration)
        _ = try harness.submit(["http://example.org/1.jpg"])
        try harness.download(1)
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        _ = try harness.steer(.detect(engine: .yunet), 1).get()
        #expect(harness.outside.all.engines == [nil, .yunet])
        try harness.restart(configuration)
        #expect(harness.outside.all.engines == [.yunet])
        // The settings have changed meanwhile, and nobody has that engine any more.
        try harness.restart(JobEngineConfiguration(engines: [.haar]))
        #expect(harness.outside.all.detecting.isEmpty)
        #expect(try harness.stored(1)?.detection?.outcome == .skipped)
    }

    @Test("An engine that no detector has is refused, for one job and for all")
    func noSuchEngine() throws {
        let harness = try harness(1)
        try harness.download(1)
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        #expect(try harness.steer(.detect(engine: .yunet), 1) == .failure(.noSuchEngine(.yunet)))
        let all = Answer<Int>()
        try harness.turn(.steerAll(.detect(engine: .yunet), reply: all.give))
        #expect(all.value == .failure(.noSuchEngine(.yunet)))
        #expect(try harness.stored(1)?.state == .done)
    }

    @Test("A picture that crashed its detectors is not tried again by a restart, only when asked")
    func crashed() throws {
        let harness = try harness(1)
        try harness.download(1)
        try answer(harness, 1, found(.crashed))
        try harness.restart()
        #expect(harness.outside.all.detecting.isEmpty)
        #expect(try harness.stored(1)?.detection?.outcome == .crashed)
        _ = try harness.steer(.detect(), 1).get()
        #expect(detected(harness, 1))
    }

    @Test("That a document is looked at is written down before it is, each of the two times")
    func writtenFirst() throws {
        let harness = try harness(1)
        try harness.download(1)
        #expect(try harness.stored(1)?.detectionAttempts == 1)
        harness.store.fail(with: .outOfSpace)
        try harness.turn(.detected(JobID(rawValue: 1), found(.crashed)))
        // What can't be written down is not done.
        #expect(harness.outside.all.detecting.count == 1)
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(harness.outside.all.detecting.count == 2)
        #expect(try harness.stored(1)?.detectionAttempts == 2)
        try harness.turn(.detected(JobID(rawValue: 1), found(.crashed)))
        #expect(try harness.stored(1)?.detection?.outcome == .crashed)
        #expect(try harness.stored(1)?.detectionAttempts == 0)
        #expect(harness.outside.all.detecting.count == 2)
    }

    @Test("A picture that ends the daemon is looked at four times, then never, and its twins not at all")
    func endsDaemon() throws {
        let harness = try harness(3, detections: 1)
        for job in Int64(1)...2 { try harness.download(job, content: "ab") }
        try harness.download(3, content: "cd")
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1])
        // It ends while it looks.
        for _ in 2...4 {
            try harness.restart()
            #expect(harness.outside.all.detecting.map(\.rawValue) == [1])
        }
        try harness.restart()
        #expect(harness.outside.all.detecting.map(\.rawValue) == [3])
        let crashed = try #require(try harness.stored(1)?.detection)
        #expect(crashed.outcome == .crashed && crashed.engine == "haar" && crashed.parameters == "p")
        #expect(try harness.stored(2)?.detection?.sharedFrom == JobID(rawValue: 1))
        // Who asks for it gets it looked at.
        try harness.turn(.detected(JobID(rawValue: 3), found()))
        _ = try harness.steer(.detect(), 1).get()
        #expect(harness.outside.all.detecting.last == JobID(rawValue: 1))
    }

    @Test("After the daemon's end what it looked at is looked at alone, and none pays for another")
    func oneAtATime() throws {
        let harness = try harness(4, detections: 3)
        for job in Int64(1)...4 { try harness.download(job) }
        #expect(harness.outside.all.detecting.count == 3)
        try harness.restart()
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1])
        try harness.turn(.detected(JobID(rawValue: 1), found()))
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1, 2])
        // That one is it: the other had no part in it.
        for _ in 3...4 {
            try harness.restart()
            #expect(harness.outside.all.detecting.map(\.rawValue) == [2])
        }
        try harness.restart()
        #expect(try harness.stored(2)?.detection?.outcome == .crashed)
        #expect(harness.outside.all.detecting.map(\.rawValue) == [3])
        try harness.turn(.detected(JobID(rawValue: 3), found()))
        #expect(harness.outside.all.detecting.map(\.rawValue) == [3, 4])
    }

    @Test("However often the daemon is stopped in order, what it looked at has lost nothing")
    func stoppedInOrder() throws {
        let harness = try harness(1)
        try harness.download(1)
        for _ in 1...5 {
            try harness.core.settle(now: harness.now)
            #expect(try harness.stored(1)?.detectionAttempts == 0)
            try harness.restart()
            #expect(harness.outside.all.detecting == [JobID(rawValue: 1)])
        }
    }

    @Test("Held documents are told of once, and go in order after a restart and a release")
    func heldOrder() throws {
        let harness = try harness(5, detections: 1)
        try harness.turn(.setGate(open: false, reply: Answer<Void>().give))
        for job in [Int64(3), 1, 5, 2, 4] { try harness.download(job) }
        try harness.restart()
        #expect(harness.outside.all.detecting.isEmpty)
        #expect(harness.outside.lines.filter { $0.contains("deferred") }.isEmpty)
        try harness.turn(.setGate(open: true, reply: Answer<Void>().give))
        for job in Int64(1)...5 {
            #expect(harness.outside.all.detecting.last == JobID(rawValue: job))
            try harness.turn(.detected(JobID(rawValue: job), found()))
        }
    }

    @Test("Very many known results are given slice by slice, and the engine comes back by itself")
    func slices() throws {
        let harness = try EngineHarness(JobEngineConfiguration(sliceSize: 10))
        _ = try harness.submit((1...40).map { "http://example.org/\($0).jpg" })
        try harness.turn(.setGate(open: false, reply: Answer<Void>().give))
        for job in Int64(1)...40 { try harness.download(job, content: "ab") }
        try harness.turn(.setGate(open: true, reply: Answer<Void>().give))
        var wake = try harness.turn(.detected(JobID(rawValue: 1), found()))
        var turns = 1
        while wake == harness.now {
            wake = try harness.turn()
            turns += 1
        }
        #expect(turns == 4)
        #expect(harness.core.status.jobsByState == [.done: 40])
    }
}
