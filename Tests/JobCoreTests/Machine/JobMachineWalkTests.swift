import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

/// Every state and input, legal and not, in an outside that objects to what
/// makes no sense.
struct JobMachineWalkTests {
    private static let cut = JobFailure(.connectionLost, "the connection broke")

    /// Returns an input that the outside could give or a person could ask for, at any time.
    private static func anyInput(_ generator: inout SeededGenerator, length: Int64?) throws -> JobInput {
        let start = TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)
        let sealed = SealedPartial(inode: 9, length: 100, sha256: "ee")
        let body = BufferedBody([], of: BufferRoom(limit: 0), taken: 0)
        let reservation = Job.Reservation(name: "x.jpg", sealed: sealed)
        let inputs: [JobInput] = [
            .transfer(.ended(.buffered(body, lengthProven: true))),
            .storage(.stored(reservation, partialPath: "/p", path: "/d/x.jpg")),
            .transfer(.began(start)), .transfer(.progressed(bytes: 60)), .transfer(.ended(.stopped)),
            .transfer(.ended(.mustRestart(reason: "r"))), .transfer(.ended(.refused(cut))),
            .transfer(.ended(.interrupted(cut, retryAfter: 5))),
            .transfer(.ended(.completed(length: 100, lengthProven: true))),
            .storage(.sealed(sealed, path: "/p", freeName: "x.jpg")),
            .storage(.sealFailed(cut, keepsPartial: false)), .storage(.published(path: "/d/x.jpg")),
            .storage(.hashed(sha256: "ff")), .storage(.hashFailed(cut)),
            .storage(.nameTaken(freeName: "y.jpg")), .storage(.publishFailed(cut, keepsPartial: true)),
            .storage(.removed), .storage(.notRemoved), .evict,
            .retryDue, .giveWay, .unsent(wasTold: true), .unsent(wasTold: false),
            .detectionBegan, .detectionInterrupted, .detectionEnded(DetectionResult(outcome: .crashed)),
            .detectionDeferred, .detectionEnded(DetectionResult(outcome: .counted)),
        ]
        return inputs.randomElement(using: &generator) ?? .retryDue
    }

    private static func result(_ generator: inout SeededGenerator) -> DetectionResult {
        DetectionResult(outcome: DetectionOutcome.allCases.randomElement(using: &generator) ?? .counted)
    }

    private static func steering(_ generator: inout SeededGenerator) throws -> JobInput {
        let inputs: [JobInput] = [
            .pause, .resume, .cancel, .retry(nil), .retry(try JobURL("https://example.org/c.jpg")),
            .detect(DetectionDemand()),
            .detect(DetectionDemand(engine: .yunet)),
            .prioritize(Int.random(in: -100...100, using: &generator)),
            .pin(Bool.random(using: &generator)),
            .hold, .release, .removeDocument, .fingerprint(Fingerprint(bits: 7), of: nil),
        ]
        return inputs.randomElement(using: &generator) ?? .pause
    }

    /// Something that the outside, as it is, can really come with.
    private static func goOn(_ harness: inout MachineHarness, _ generator: inout SeededGenerator) throws {
        if harness.isTransferring {
            let held = harness.partialLength ?? 0
            switch Int.random(in: 0..<9, using: &generator) {
            case 0:
                if harness.isAskedToStop { return try harness.end(.stopped) }
                if harness.machine.awaitsAnswer, Bool.random(using: &generator) {
                    return try harness.giveBack()
                }
                try harness.begin(held > 0 ? .resumed : .fresh, offset: held)
            case 1: try harness.progress(min(100, held + Int64.random(in: 1...60, using: &generator)))
            case 2: try harness.end(.interrupted(cut, retryAfter: nil))
            case 3: try harness.end(.refused(cut))
            case 4: try harness.end(.mustRestart(reason: "changed"))
            case 5 where harness.job.attempts == 1 && Bool.random(using: &generator):
                try harness.endInMemory()
            case 5: try harness.end(.completed(length: 100, lengthProven: true))
            case 6: try harness.end(.damaged(cut))
            case 7: try harness.feed(.transfer(.synced(bytes: held)))
            default: try harness.restart("changed")
            }
        } else if harness.isSealing {
            if Int.random(in: 0..<4, using: &generator) > 0 {
                return try harness.seal(sha256: Bool.random(using: &generator) ? "ab" : nil)
            }
            harness.isSealing = false
            try harness.feed(.storage(.sealFailed(cut, keepsPartial: Bool.random(using: &generator))))
        } else if harness.isPublishing {
            if Int.random(in: 0..<4, using: &generator) > 0 { return try harness.publish() }
            if harness.isStoring { return try harness.failToStore(cut) }
            harness.isPublishing = false
            try harness.feed(.storage(.publishFailed(cut, keepsPartial: Bool.random(using: &generator))))
        } else if harness.isHashing, Bool.random(using: &generator) {
            try harness.hash(Int.random(in: 0..<4, using: &generator) > 0 ? "ab" : nil)
        } else if harness.isQueued {
            try harness.grantPermit()
        } else if harness.isInDetection, harness.state == .stored {
            try harness.detect(result(&generator))
        } else if harness.isInDetection, harness.state == .detecting {
            try harness.endDetection(result(&generator))
        } else {
            harness.now = harness.now.adding(seconds: 3600)
            try harness.feed(.retryDue)
        }
    }

    @Test("No walk through the states breaks the outside's rules", arguments: 1...200)
    func walk(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var harness = try MachineHarness()
        for _ in 0..<120 {
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let givesWay = harness.machine.canGiveWay && Bool.random(using: &generator)
                try harness.feed(givesWay ? .giveWay : Self.steering(&generator))
            } else {
                try Self.goOn(&harness, &generator)
            }
        }
        // Whatever happened, a job that is let go comes to its end.
        try harness.feed(.release)
        try harness.feed(.resume)
        var rounds = 0
        while !harness.state.isFinal || harness.isTransferring, rounds < 2000 {
            try Self.goOn(&harness, &generator)
            rounds += 1
        }
        #expect(harness.state.isFinal)
        #expect(!harness.hasPermit)
    }

    @Test("A report that belongs to nothing under way changes nothing", arguments: 1...100)
    func strayReports(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for state in JobState.allCases {
            var harness = try MachineHarness()
            try Self.bring(&harness, to: state)
            guard harness.machine.activity == .idle else { continue }
            let before = harness.machine
            let input = try Self.anyInput(&generator, length: 10)
            switch (state, input) {
            case (.waiting, .retryDue), (.stored, .detectionBegan), (.stored, .detectionDeferred),
                (.detecting, .detectionEnded), (.detecting, .detectionInterrupted):
                continue
            default: break
            }
            var machine = before
            var decision = machine.handle(input, in: &harness.context)
            #expect(machine == before, "\(input) in \(state)")
            let isPossible = decision.impossibility == nil
            #expect(isPossible == Self.canComeLate(input, before.job), "\(input) in \(state)")
            decision.impossibility = nil
            #expect(decision == JobDecision(), "\(input) in \(state)")
        }
    }

    /// Returns whether an input that means nothing may have been on its way when the job was steered.
    private static func canComeLate(_ input: JobInput, _ job: Job) -> Bool {
        switch input {
        case .retryDue: true
        case .storage(.hashed, _), .storage(.hashFailed, _), .detectionEnded: job.path != nil
        default: false
        }
    }

    @Test("A crash at any moment of a walk is recovered from", arguments: 1...200)
    func crashes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var harness = try MachineHarness()
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            try Self.goOn(&harness, &generator)
            if harness.state.isFinal { break }
        }
        let wasPublishing = harness.isPublishing
        harness.crash()
        if harness.state == .queued { harness.isQueued = true }
        var publication: Publication?
        if let reservation = harness.job.reservation {
            publication = wasPublishing && Bool.random(using: &generator) ? .pending() : .lost
            if publication == .lost {
                harness.partialLength = nil
                _ = reservation
            }
        }
        if !harness.state.isFinal { try harness.feed(.recovered(publication)) }
        var rounds = 0
        while !harness.state.isFinal, rounds < 2000 {
            try Self.goOn(&harness, &generator)
            rounds += 1
        }
        #expect(harness.state.isFinal)
    }

    /// Brings a new job into a state.
    static func bring(_ harness: inout MachineHarness, to state: JobState) throws {
        switch state {
        case .queued: break
        case .downloading: try harness.grantPermit()
        case .waiting:
            try harness.grantPermit()
            try harness.end(.interrupted(cut, retryAfter: nil))
        case .failed:
            try harness.grantPermit()
            try harness.end(.refused(cut))
        case .paused: try harness.feed(.pause)
        case .cancelled: try harness.feed(.cancel)
        case .stored: try harness.download()
        case .detecting:
            try harness.download()
            try harness.feed(.detectionBegan)
        case .done:
            try harness.download()
            try harness.detect()
        }
    }
}
