import JobCore
import JobModel
import Testing
import Vocabulary

struct JobMachineSteeringTests {
    private func downloading() throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.progress(42)
        return harness
    }

    @Test("Pausing a download stops it and keeps the partial; it goes on from there")
    func pauseDownload() throws {
        var harness = try downloading()
        try harness.feed(.pause)
        #expect(harness.state == .paused)
        #expect(harness.isAskedToStop)
        try harness.end(.stopped)
        #expect(!harness.hasPermit)
        try harness.feed(.resume)
        #expect(harness.state == .queued)
        try harness.grantPermit()
        #expect(
            harness.effects.last
                == .startTransfer(
                    resume: ResumePoint(offset: 42, total: 100, validator: .entityTag("\"v1\""))
                )
        )
        #expect(harness.events.suffix(2) == [.paused(name: "a.jpg"), .continued(name: "a.jpg")])
    }

    @Test("A download that is resumed before it has stopped is queued when it has")
    func resumeWhileStopping() throws {
        var harness = try downloading()
        try harness.feed(.pause)
        try harness.feed(.resume)
        #expect(harness.state == .queued)
        #expect(!harness.isQueued)
        try harness.end(.stopped)
        #expect(harness.isQueued)
    }

    @Test("Cancelling removes the partial once nobody writes to it")
    func cancelDownload() throws {
        var harness = try downloading()
        try harness.feed(.cancel)
        #expect(harness.state == .cancelled)
        #expect(harness.partialLength != nil)
        try harness.end(.stopped)
        #expect(harness.partialLength == nil)
    }

    @Test("Doing what is done already changes nothing, and is no error")
    func idempotent() throws {
        var harness = try downloading()
        try harness.feed(.pause)
        let paused = harness.machine
        try harness.feed(.pause)
        #expect(harness.machine == paused)
        #expect(harness.refusal == nil)
        try harness.feed(.cancel)
        let cancelled = harness.machine
        try harness.feed(.cancel)
        #expect(harness.machine == cancelled)
        #expect(harness.refusal == nil)
    }

    @Test("Only of what was begun a partial goes when the job is cancelled", arguments: [0, 1])
    func cancelQueued(attempts: Int) throws {
        var harness = try MachineHarness()
        if attempts > 0 {
            try harness.grantPermit()
            try harness.feed(.pause)
            try harness.end(.stopped)
        }
        #expect(harness.machine.job.attempts == attempts)
        try harness.feed(.cancel)
        #expect(harness.state == .cancelled)
        #expect(harness.effects.contains(.discardPartial) == (attempts > 0))
    }

    @Test("A finished job is neither paused nor cancelled, and its document is never touched")
    func finished() throws {
        var harness = try MachineHarness()
        try harness.download()
        try harness.detect()
        let done = harness.machine
        for input in [JobInput.pause, .cancel, .resume] {
            try harness.feed(input)
            #expect(harness.machine == done)
            #expect(harness.refusal != nil)
        }
        try harness.feed(.retry(nil))
        #expect(harness.machine == done)
        #expect(harness.documentPath == "/d/a.jpg")
    }

    @Test("A document that waits for a detector can be held, and is looked at when let go")
    func pauseStored() throws {
        var harness = try MachineHarness()
        try harness.download()
        try harness.feed(.pause)
        #expect(harness.state == .paused)
        #expect(!harness.isInDetection)
        try harness.feed(.resume)
        #expect(harness.state == .stored)
        #expect(harness.isInDetection)
    }

    @Test("A pause in mid-publication holds the job after it is published")
    func pausePublishing() throws {
        var harness = try downloading()
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.seal()
        try harness.feed(.pause)
        try harness.publish()
        #expect(harness.state == .paused)
        #expect(harness.job.path == "/d/a.jpg")
        try harness.feed(.resume)
        #expect(harness.state == .stored)
    }

    @Test(
        "A cancel in mid-publication comes too late for a document that can't be told from another, which stays"
    )
    func cancelPublishing() throws {
        var harness = try downloading()
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.seal()
        try harness.feed(.cancel)
        try harness.publish()
        #expect(harness.state == .cancelled)
        #expect(harness.job.path == "/d/a.jpg")
        #expect(!harness.isInDetection)
    }

    @Test("A failed job is tried again with its partial, from a new URL if one is given")
    func retryFailed() throws {
        var harness = try downloading()
        try harness.end(.refused(JobFailure(.http(403), "forbidden")))
        let url = try JobURL("https://example.org/b.jpg?token=new")
        try harness.feed(.retry(url))
        #expect(harness.state == .queued)
        #expect(harness.job.url == url)
        #expect(harness.job.failure == nil)
        try harness.grantPermit()
        guard case .startTransfer(.some) = harness.effects.last else {
            Issue.record("\(harness.effects)")
            return
        }
    }

    @Test(
        "Header fields go with a new URL of the same scheme, host and port for who submitted them, and with no other",
        arguments: [true, false]
    )
    func headersOfNewURL(isTheirs: Bool) throws {
        let secret = try RequestHeader(name: "Authorization", value: "Bearer secret")
        for (url, isSame) in [
            ("https://example.org/b.jpg", true), ("https://EXAMPLE.org:443/b.jpg", true),
            ("http://example.org/b.jpg", false), ("https://example.org:8443/b.jpg", false),
            ("https://example.com/a.jpg", false),
        ] {
            var harness = try MachineHarness(headers: [secret])
            try harness.feed(.retry(try JobURL(url), keepsHeaders: isTheirs))
            #expect(harness.job.headers == (isSame && isTheirs ? [secret] : []), "\(url)")
        }
    }

    @Test(
        "A job of a source gets another URL from its source and root only, whose header fields it would carry there"
    )
    func retryOfSources() throws {
        for (isTheirs, url) in [(false, "https://example.org/echo"), (true, "https://example.org/renewed")] {
            var harness = try MachineHarness(name: nil, source: "mars")
            let before = harness.job.url
            try harness.feed(.retry(try JobURL(url), keepsHeaders: isTheirs))
            #expect((harness.refusal == nil) == isTheirs && (harness.job.url == before) != isTheirs)
            try harness.feed(.retry(nil))
            #expect(harness.refusal == nil)
        }
    }

    @Test("Without a new URL header fields stay, also in a failed job, but not in a cancelled one")
    func headersOfRetry() throws {
        let secret = try RequestHeader(name: "Authorization", value: "Bearer secret")
        var harness = try MachineHarness(headers: [secret])
        try harness.feed(.retry(nil))
        try harness.feed(.retry(harness.job.url))
        #expect(harness.job.headers == [secret])
        try harness.grantPermit()
        try harness.end(.refused(JobFailure(.http(403), "forbidden")))
        #expect(harness.state == .failed && harness.job.headers == [secret])
        try harness.feed(.cancel)
        #expect(harness.state == .cancelled && harness.job.headers.isEmpty)
    }

    @Test("A new URL in mid-download stops it and goes on with the new one")
    func retryDownloading() throws {
        var harness = try downloading()
        try harness.feed(.retry(try JobURL("https://example.org/b.jpg")))
        #expect(harness.isAskedToStop)
        try harness.end(.stopped)
        #expect(harness.isQueued)
    }

    @Test("A waiting job is tried at once on request")
    func retryWaiting() throws {
        var harness = try downloading()
        try harness.end(.interrupted(JobFailure(.timedOut, "slow"), retryAfter: 3600))
        try harness.feed(.retry(nil))
        #expect(harness.state == .queued)
        #expect(harness.job.waiting == nil)
        try harness.feed(.retryDue)
        #expect(harness.state == .queued)
    }

    @Test("What is done is not tried again, and it is said what can be done instead")
    func retryDone() throws {
        var harness = try MachineHarness()
        try harness.download()
        try harness.detect()
        let before = harness.machine
        try harness.feed(.retry(nil))
        #expect(harness.refusal?.contains("detect looks for faces again") == true)
        #expect(harness.machine == before)
    }

    @Test("Faces are looked for again on request, and only where there is a document")
    func detectAgain() throws {
        var harness = try MachineHarness()
        try harness.feed(.detect(DetectionDemand()))
        #expect(harness.refusal != nil)
        try harness.download()
        try harness.detect(DetectionResult(outcome: .crashed))
        #expect(harness.state == .detecting)
        try harness.endDetection(DetectionResult(outcome: .crashed))
        #expect(harness.events.last == .detectionFailed(name: "a.jpg", outcome: .crashed))
        try harness.feed(.detect(DetectionDemand()))
        #expect(harness.state == .stored)
        try harness.detect()
        #expect(harness.job.detection?.outcome == .counted)
    }

    @Test("Whoever wants a document looked at again gets a detector and the engine asked for, once")
    func demand() throws {
        var harness = try MachineHarness()
        try harness.download()
        try harness.detect()
        try harness.feed(.detect(DetectionDemand(engine: .yunet)))
        #expect(harness.job.detectionDemand?.engine == .yunet)
        let known = DetectionResult(outcome: .counted, engine: "haar", sharedFrom: JobID(rawValue: 9))
        try harness.feed(.detectionKnown(known))
        #expect(harness.state == .stored)
        try harness.feed(.detectionBegan)
        try harness.feed(.detect(DetectionDemand(engine: .haar)))
        #expect(harness.refusal == "a detector is looking at it; ask again when it is done")
        harness.isInDetection = false
        try harness.feed(.detectionEnded(DetectionResult(outcome: .counted, engine: "yunet")))
        #expect(harness.state == .done)
        #expect(harness.job.detectionDemand == nil)
    }

    @Test("A document that waits can be given another engine")
    func demandWhileStored() throws {
        var harness = try MachineHarness()
        try harness.download()
        try harness.feed(.detect(DetectionDemand()))
        #expect(harness.job.detectionDemand == nil)
        try harness.feed(.detect(DetectionDemand(engine: .yunet)))
        #expect(harness.job.detectionDemand == DetectionDemand(engine: .yunet))
        #expect(harness.state == .stored)
    }

    @Test("A known result ends a job without a detector, and the log says whose it is")
    func shared() throws {
        var harness = try MachineHarness()
        try harness.download()
        let found = DetectionResult(outcome: .counted, faces: [], engine: "haar", parameters: "p", seconds: 2)
        let known = DetectionResult(sharing: found, of: JobID(rawValue: 9))
        harness.isInDetection = false
        try harness.feed(.detectionKnown(known))
        #expect(harness.state == .done)
        #expect(harness.job.detection?.sharedFrom == JobID(rawValue: 9))
        #expect(harness.job.detection?.seconds == 0)
        #expect(
            harness.events.last
                == .detectionFinished(name: "a.jpg", faceCount: 0, sharedFrom: JobID(rawValue: 9))
        )
        #expect(!harness.events.contains(.detectionStarted(name: "a.jpg")))
        // Who shares with this one shares with the one whose document was looked at.
        #expect(DetectionResult(sharing: known, of: JobID(rawValue: 10)).sharedFrom == JobID(rawValue: 9))
    }

    @Test("A held gate is told of once a job")
    func deferred() throws {
        var harness = try MachineHarness()
        try harness.download()
        try harness.feed(.detectionDeferred)
        try harness.feed(.detectionDeferred)
        #expect(harness.events.filter { $0 == .detectionDeferred(name: "a.jpg") }.count == 1)
    }

    @Test("A new priority moves a queued job, and is kept by others")
    func prioritize() throws {
        var harness = try MachineHarness()
        try harness.feed(.prioritize(7))
        #expect(harness.moves == [.enqueueTransfer])
        #expect(harness.job.priority == 7)
        try harness.feed(.prioritize(7))
        #expect(harness.moves.count == 1 && harness.effects.isEmpty)
    }

    @Test("A job whose URL the store can't give back fails with its permit, and goes on under another URL")
    func unreadableURL() throws {
        var harness = try MachineHarness(url: JobURL(unreadable: "https://ann:secret@"))
        try harness.grantPermit()
        #expect(harness.state == .failed)
        #expect(harness.job.failure?.code == .storageError)
        #expect(!harness.hasPermit && !harness.isTransferring)
        guard case .failed("unreadable:url", _) = harness.events.last else {
            Issue.record("told \(harness.events)")
            return
        }
        try harness.feed(.retry(nil))
        #expect(harness.refusal != nil)
        #expect(harness.state == .failed)
        try harness.feed(.retry(try JobURL("https://example.org/a.jpg")))
        #expect(harness.state == .queued && harness.isQueued)
        try harness.grantPermit()
        #expect(harness.isTransferring)
    }
}
