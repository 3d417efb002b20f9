import JobCore
import JobModel
import Testing
import Vocabulary

struct JobMachineTransferTests {
    private let cut = JobFailure(.connectionLost, "the connection broke")

    @Test("A download goes from queued to done, and tells each step once")
    func wholeWay() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        #expect(harness.state == .downloading)
        try harness.begin()
        for bytes in [5, 10, 35, 35, 100] { try harness.progress(Int64(bytes)) }
        try harness.end(.completed(length: 100, lengthProven: true))
        #expect(harness.state == .downloading)
        try harness.seal()
        try harness.publish()
        #expect(harness.state == .stored)
        try harness.detect(
            DetectionResult(outcome: .counted, faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 5)])
        )
        #expect(harness.state == .done)
        #expect(
            harness.events == [
                .started(url: "https://ann:***@example.org/a.jpg"),
                .progressed(name: "a.jpg", percent: 10), .progressed(name: "a.jpg", percent: 20),
                .progressed(name: "a.jpg", percent: 30), .progressed(name: "a.jpg", percent: 40),
                .progressed(name: "a.jpg", percent: 50), .progressed(name: "a.jpg", percent: 60),
                .progressed(name: "a.jpg", percent: 70), .progressed(name: "a.jpg", percent: 80),
                .progressed(name: "a.jpg", percent: 90), .progressed(name: "a.jpg", percent: 100),
                .finished(url: "https://ann:***@example.org/a.jpg", partialPath: "/p/3.part"),
                .stored(name: "a.jpg", path: "/d/a.jpg"), .detectionStarted(name: "a.jpg"),
                .detectionFinished(name: "a.jpg", faceCount: 1),
            ]
        )
        #expect(!harness.hasPermit)
    }

    @Test(
        "An attempt of which no server has heard doesn't count; its start is told once, if it was told",
        arguments: [(true, 1), (false, 2)]
    )
    func unsent(wasTold: Bool, starts: Int) throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        #expect(harness.machine.awaitsAnswer)
        try harness.giveBack(wasTold: wasTold)
        #expect(harness.state == .queued && harness.job.attempts == 0 && harness.isQueued)
        #expect(!harness.hasPermit && harness.job.hasStarted == wasTold)
        try harness.grantPermit()
        #expect(harness.job.attempts == 1)
        #expect(harness.events.count == starts)
        try harness.begin()
        #expect(!harness.machine.awaitsAnswer)
        try harness.end(.interrupted(cut, retryAfter: nil))
        try harness.feed(.retry(nil))
        try harness.grantPermit()
        try harness.feed(.pause)
        #expect(harness.job.attempts == 2)
        try harness.giveBack()
        #expect(harness.state == .paused && harness.job.attempts == 1 && !harness.hasPermit)
    }

    @Test(
        "Of files below a length only the start and the end are told",
        arguments: [(100, true), (101, false)]
    )
    func stepsFrom(length: Int64, hasSteps: Bool) throws {
        var harness = try MachineHarness()
        harness.context.stepsFrom = length
        try harness.grantPermit()
        try harness.begin()
        for bytes in [5, 35, 100] { try harness.progress(Int64(bytes)) }
        try harness.end(.completed(length: 100, lengthProven: true))
        let steps = harness.events.filter { if case .progressed = $0 { true } else { false } }
        #expect(steps.count == (hasSteps ? 10 : 0))
        #expect(harness.events.count == (hasSteps ? 11 : 1))
    }

    @Test("A file of unknown length has lines by bytes, and none in percent")
    func unknownLength() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin(total: nil, validator: nil)
        try harness.progress(3 << 20)
        try harness.end(.completed(length: 3_500_000, lengthProven: false))
        #expect(harness.job.lengthUnproven)
        #expect(
            harness.events.dropFirst() == [
                .received(name: "a.jpg", bytes: 3 << 20), .received(name: "a.jpg", bytes: 3_500_000),
            ]
        )
    }

    @Test(
        "A document has a length that is proven or not, and nothing else has one; the line says what isn't proven",
        arguments: [true, false]
    )
    func lengthProof(isProven: Bool) throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin(total: isProven ? 100 : nil, validator: nil)
        try harness.end(.completed(length: 100, lengthProven: isProven))
        #expect(harness.job.length == nil)
        try harness.seal()
        try harness.publish(mark: FileMark(inode: 7, length: 100, modified: 0, changed: 1))
        let proof = isProven ? LengthProof.proven : .unproven
        #expect(harness.job.length == proof)
        #expect(harness.events.contains(.stored(name: "a.jpg", path: "/d/a.jpg", length: proof)))
        // It is true of what was stored, as long as anything is known of that.
        var removed = harness.job
        removed.documentMark = FileMark(inode: 7, length: 100, modified: 0, changed: 1)
        (removed.state, removed.detection) = (.done, DetectionResult(outcome: .counted))
        (removed.path, removed.evictedAt, removed.finishedAt) = (nil, harness.now.wall, harness.now)
        #expect(removed.length == proof)
        var again = JobMachine(job: removed)
        _ = again.handle(.retry(nil), in: &harness.context)
        #expect(again.job.state == .queued && again.job.length == nil)
    }

    @Test("That a body in memory is of unproven length is written before it becomes a document")
    func unprovenInMemory() throws {
        for isProven in [true, false] {
            var harness = try MachineHarness()
            try harness.grantPermit()
            try harness.begin(total: nil, validator: nil)
            let body = BufferedBody([1], of: BufferRoom(limit: 1), taken: 0)
            let end = JobInput.transfer(.ended(.buffered(body, lengthProven: isProven)))
            #expect(harness.machine.handle(end, in: &harness.context).canWait == isProven)
        }
    }

    @Test("The server's own name for a file is made safe and taken, unless one was asked for")
    func suggestedName() throws {
        for hasGivenName in [false, true] {
            var harness = try MachineHarness()
            var job = harness.machine.job
            job.hasGivenName = hasGivenName
            harness.machine = JobMachine(job: job)
            try harness.grantPermit()
            harness.partialLength = 0
            var start = TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)
            start.suggestedName = "../b.jpg"
            try harness.feed(.transfer(.began(start)))
            #expect(harness.job.name == (hasGivenName ? "a.jpg" : "_b.jpg"))
        }
    }

    @Test("A name without an extension gets the content type's, unless somebody asked for that very name")
    func extendedName() throws {
        let rows: [(name: String?, source: String?, expected: String)] = [
            (nil, nil, "300.jpg"), (nil, "list", "300.jpg"), ("cover", nil, "cover"),
            ("cover", "list", "cover.jpg"), ("cover.png", "list", "cover.png"),
        ]
        for (name, source, expected) in rows {
            var harness = try MachineHarness(name: name, source: source)
            try harness.grantPermit()
            harness.partialLength = 0
            var start = TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)
            start.contentType = "image/jpeg"
            try harness.feed(.transfer(.began(start)))
            #expect(harness.job.name == expected)
        }
    }

    @Test("A file that is sent anew as another type has that type's extension")
    func otherType() throws {
        var harness = try MachineHarness(name: nil, source: nil)
        for (type, expected) in [("image/png", "300.png"), ("image/webp", "300.webp")] {
            try harness.grantPermit()
            var start = TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)
            start.contentType = type
            try harness.feed(.transfer(.began(start)))
            #expect(harness.job.name == expected)
            try harness.end(.interrupted(cut, retryAfter: nil))
            try harness.feed(.retryDue)
        }
    }

    @Test("A transfer that is cut off waits, and then goes on where it was, telling no step twice")
    func resumes() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        try harness.end(.interrupted(cut, retryAfter: nil))
        #expect(harness.state == .waiting)
        #expect(harness.job.waiting?.reason == cut)
        #expect(!harness.hasPermit)
        try harness.feed(.retryDue)
        #expect(harness.state == .queued)
        harness.events = []
        harness.moves = []
        harness.effects = []
        try harness.grantPermit()
        let point = ResumePoint(offset: 42, total: 100, validator: .entityTag("\"v1\""))
        #expect(harness.moves.isEmpty && harness.effects == [.startTransfer(resume: point)])
        try harness.begin(.resumed, offset: 42)
        try harness.progress(55)
        #expect(
            harness.events == [
                .resumed(name: "a.jpg", offset: 42, total: 100), .progressed(name: "a.jpg", percent: 50),
            ]
        )
        #expect(harness.job.attempts == 2)
    }

    @Test("A server that sends the whole file again restarts the download, and says so")
    func restartedByServer() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        try harness.end(.interrupted(cut, retryAfter: nil))
        try harness.feed(.retryDue)
        try harness.grantPermit()
        harness.events = []
        try harness.restart("the file changed", total: 200, validator: nil)
        try harness.progress(200)
        #expect(harness.events.first == .restarted(name: "a.jpg", reason: "the file changed"))
        #expect(harness.events.count == 7, "steps 50% to 100% were never logged before")
        #expect(harness.job.totalBytes == 200)
    }

    @Test("What the partial holds is given up in the store before the transfer may empty it")
    func restartIsDurableFirst() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        try harness.end(.interrupted(cut, retryAfter: nil))
        try harness.feed(.retryDue)
        try harness.grantPermit()
        harness.moves = []
        harness.effects = []
        harness.isRestarting = true
        // The harness objects to a confirmation while the job claims anything of the partial.
        try harness.feed(.transfer(.restarting(reason: "the file changed")))
        #expect(harness.moves.isEmpty && harness.effects == [.confirmTransfer])
        // Killed before the first byte of the other version is told of: what lies there is anybody's.
        harness.crash()
        harness.partialLength = 42
        try harness.feed(.recovered(nil))
        try harness.grantPermit()
        #expect(harness.effects.last == .startTransfer(resume: nil))
    }

    @Test("A job that is paused as its transfer asks to restart keeps the partial and what is known of it")
    func restartOfPaused() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        try harness.end(.interrupted(cut, retryAfter: nil))
        try harness.feed(.retryDue)
        try harness.grantPermit()
        try harness.feed(.pause)
        harness.moves = []
        harness.effects = []
        try harness.feed(.transfer(.restarting(reason: "the file changed")))
        #expect(harness.moves.isEmpty && harness.effects.isEmpty)
        try harness.end(.stopped)
        try harness.feed(.resume)
        try harness.grantPermit()
        let point = ResumePoint(offset: 42, total: 100, validator: .entityTag("\"v1\""))
        #expect(harness.effects.last == .startTransfer(resume: point))
    }

    @Test("An unprovable answer is asked for again from zero, once, without giving the permit back")
    func mustRestart() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        try harness.end(.interrupted(cut, retryAfter: nil))
        try harness.feed(.retryDue)
        try harness.grantPermit()
        harness.moves = []
        harness.effects = []
        try harness.end(.mustRestart(reason: "416"))
        #expect(harness.moves.isEmpty && harness.effects == [.startTransfer(resume: nil)])
        #expect(harness.hasPermit)
        try harness.end(.mustRestart(reason: "416 again"))
        #expect(harness.state == .failed, "a second one could go on for ever")
        #expect(harness.job.failure?.code == .protocolError)
        #expect(!harness.hasPermit)
    }

    @Test(
        "Without a validator, or with a partial that is gone or too long, the download starts anew and says why"
    )
    func noProof() throws {
        for (length, validator) in [
            (Int64(42), nil), (nil, Validator.entityTag("\"v1\"")), (101, .entityTag("\"v1\"")),
        ] as [(Int64?, Validator?)] {
            var harness = try MachineHarness()
            try harness.grantPermit()
            try harness.begin(validator: validator)
            try harness.progress(42)
            try harness.end(.interrupted(cut, retryAfter: nil))
            try harness.feed(.retryDue)
            harness.partialLength = length
            harness.events = []
            try harness.grantPermit()
            guard case .restarted = harness.events.first else {
                Issue.record("\(String(describing: length)): \(harness.events)")
                continue
            }
            #expect(harness.effects.last == .startTransfer(resume: nil))
        }
    }

    @Test("A partial that is complete already is published without asking the server")
    func completePartial() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(95)
        harness.crash()
        harness.partialLength = 100
        try harness.feed(.recovered(nil))
        try harness.grantPermit()
        #expect(harness.events == [.progressed(name: "a.jpg", percent: 100)])
        #expect(!harness.hasPermit)
        try harness.seal()
        try harness.publish()
        #expect(harness.state == .stored)
    }

    @Test("A refusal fails the job at once and keeps the partial")
    func refused() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        let failure = JobFailure(.http(404), "the server answered 404 Not Found")
        try harness.end(.refused(failure))
        #expect(harness.state == .failed)
        #expect(harness.events.last == .failed(url: "https://ann:***@example.org/a.jpg", failure: failure))
        #expect(!harness.effects.contains(.discardPartial))
    }

    @Test("Twenty tries that bring nothing are enough; one that brings something starts the count anew")
    func givesUp() throws {
        var harness = try MachineHarness()
        for attempt in 1...26 {
            try harness.grantPermit()
            if attempt == 6 {
                try harness.begin()
                try harness.progress(10)
            }
            try harness.end(.interrupted(cut, retryAfter: nil))
            guard harness.state == .waiting else {
                #expect(attempt == 26)
                break
            }
            harness.now = harness.now.adding(seconds: 600)
            try harness.feed(.retryDue)
        }
        #expect(harness.state == .failed)
        #expect(harness.job.failure?.code == .connectionLost)
    }

    @Test(
        "Tries that begin anew and break off at the same place are counted, and one that goes beyond is not"
    )
    func noFurther() throws {
        var harness = try MachineHarness()
        let lost = JobFailure(.connectionLost, "broke")
        for count in 1...20 {
            try harness.grantPermit()
            try harness.begin(validator: nil)
            // The fifth time a little more arrives.
            try harness.progress(count == 5 ? 60 : 50)
            try harness.end(.interrupted(lost, retryAfter: nil))
            #expect(harness.job.fruitlessTries == (count < 5 ? count - 1 : count - 5), "\(count)")
            guard harness.state == .waiting else { break }
            harness.now = harness.job.waiting?.until ?? harness.now
            try harness.feed(.retryDue)
            harness.partialLength = 0
        }
        #expect(harness.job.fruitlessTries == 15)
    }

    @Test("Tries that bring a byte each of a long file are counted, and those that come to its end aren't")
    func crumbs() throws {
        for (total, isFailed) in [(100_000_000, true), (10_000, false)] as [(Int64, Bool)] {
            var harness = try MachineHarness()
            for count in 1...30 as ClosedRange<Int64> where harness.state != .failed {
                try harness.grantPermit()
                try harness.begin(total: total)
                try harness.progress(count)
                harness.now = harness.now.adding(seconds: 0.5)
                try harness.end(.interrupted(cut, retryAfter: nil))
                guard let until = harness.job.waiting?.until else { break }
                harness.now = until
                try harness.feed(.retryDue)
                harness.partialLength = count
            }
            #expect((harness.state == .failed) == isFailed, "\(harness.state)")
            #expect(harness.job.fruitlessTries == (isFailed ? 20 : 0))
        }
    }

    @Test("A server's Retry-After is waited for")
    func retryAfter() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.end(.interrupted(JobFailure(.http(503), "busy"), retryAfter: 120))
        let until = try #require(harness.job.waiting?.until)
        #expect(until >= harness.now.adding(seconds: 120))
    }

    @Test("A transfer that stops by itself puts the job back, to be taken up at the next start")
    func stoppedByShutdown() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        harness.isQueued = true
        try harness.end(.stopped)
        #expect(harness.state == .queued)
        #expect(!harness.hasPermit)
    }

    @Test("A transfer that gives way keeps its partial, and goes on from there with its next permit")
    func givesWay() throws {
        var harness = try MachineHarness()
        #expect(!harness.machine.canGiveWay)
        try harness.grantPermit()
        #expect(harness.machine.canGiveWay)
        try harness.begin()
        try harness.progress(42)
        try harness.feed(.giveWay)
        #expect(harness.state == .queued && harness.isAskedToStop && !harness.isQueued)
        #expect(!harness.machine.canGiveWay)
        let told = harness.events.count
        try harness.end(.stopped)
        #expect(harness.isQueued && !harness.hasPermit && harness.events.count == told)
        try harness.grantPermit()
        let point = ResumePoint(offset: 42, total: 100, validator: .entityTag("\"v1\""))
        #expect(harness.effects.last == .startTransfer(resume: point))
        #expect(harness.job.fruitlessTries == 0 && harness.job.waiting == nil)
    }

    @Test("A transfer that is complete when it was to give way is sealed with its next permit")
    func givesWayAtTheEnd() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.feed(.giveWay)
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.grantPermit()
        #expect(harness.isSealing && !harness.hasPermit)
    }

    @Test(
        "Without a validator only what has hardly begun gives way, since it would have to be fetched again",
        arguments: [(64 << 10, true), (64 << 10 + 1, false)] as [(Int64, Bool)]
    )
    func staysWithoutValidator(bytes: Int64, can: Bool) throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin(total: 1 << 20, validator: nil)
        try harness.progress(bytes)
        #expect(harness.machine.canGiveWay == can)
    }
}
