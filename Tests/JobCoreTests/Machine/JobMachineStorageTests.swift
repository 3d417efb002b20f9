import JobCore
import JobModel
import Testing

struct JobMachineStorageTests {
    private func complete() throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.end(.completed(length: 100, lengthProven: true))
        return harness
    }

    @Test("The name is reserved with the partial's inode and hash before the rename")
    func reservation() throws {
        var harness = try complete()
        try harness.seal(freeName: "a (2).jpg", sha256: "cd")
        let sealed = SealedPartial(inode: 7, length: 100, sha256: "cd")
        let reservation = Job.Reservation(name: "a (2).jpg", sealed: sealed)
        #expect(harness.job.reservation == reservation)
        #expect(harness.effects.last == .publish(reservation, wantedName: "a.jpg"))
        try harness.publish()
        #expect(harness.job.name == "a (2).jpg")
        #expect(harness.job.sha256 == "cd")
        #expect(harness.job.reservation == nil)
    }

    @Test("A partial that isn't as long as what was written is none, and costs no try")
    func anotherLength() throws {
        var harness = try complete()
        try harness.seal(length: 99)
        #expect(harness.state == .waiting)
        #expect(harness.job.waiting?.reason.code == .storageLost)
        #expect(harness.job.reservation == nil && harness.job.fruitlessTries == 0)
    }

    @Test("A document whose hash takes long is stored first, hashed, and then looked at")
    func hashedLater() throws {
        var harness = try complete()
        #expect(harness.effects.last == .seal(wantedName: "a.jpg", mustHash: false))
        try harness.seal(sha256: nil)
        try harness.publish()
        #expect(harness.state == .stored)
        #expect(harness.job.sha256 == nil)
        #expect(harness.effects.last == .hash(Document(path: "/d/a.jpg", length: 100, inode: 7)))
        #expect(!harness.isInDetection)
        try harness.hash("cd")
        #expect(harness.job.sha256 == "cd")
        #expect(harness.moves.last == .enqueueDetection)
        // One that comes twice is none.
        try harness.feed(.storage(.hashed(sha256: "ee")))
        #expect(harness.job.sha256 == "cd")
    }

    @Test("A crash before the hash is made has it made at the next start")
    func crashBeforeHash() throws {
        var harness = try complete()
        try harness.seal(sha256: nil)
        try harness.publish()
        harness.crash()
        try harness.feed(.recovered(nil))
        #expect(harness.moves.isEmpty && harness.effects == [.hash(Document(path: "/d/a.jpg", length: 100))])
    }

    @Test("A document that can't be hashed is looked at, and hashed when it is to be looked at again")
    func unhashable() throws {
        var harness = try complete()
        try harness.seal(sha256: nil)
        try harness.publish()
        try harness.hash(nil)
        try harness.detect()
        #expect(harness.state == .done)
        try harness.feed(.detect(DetectionDemand()))
        #expect(harness.isHashing)
    }

    @Test("A job that is steered while its document is hashed has the hash, and goes on when it is let go")
    func steeredWhileHashing() throws {
        for input in [JobInput.pause, .cancel] {
            var harness = try complete()
            try harness.seal(sha256: nil)
            try harness.publish()
            try harness.feed(input)
            try harness.hash("cd")
            #expect(harness.job.sha256 == "cd")
            #expect(!harness.isInDetection)
            try harness.feed(.retry(nil))
            #expect(harness.isInDetection)
        }
    }

    @Test("Where a checksum is expected, nothing is published unhashed")
    func mustHash() throws {
        var harness = try MachineHarness()
        harness.machine = {
            var job = harness.machine.job
            job.expectedSHA256 = "ff"
            return JobMachine(job: job)
        }()
        try harness.grantPermit()
        try harness.begin()
        try harness.end(.completed(length: 100, lengthProven: true))
        #expect(harness.effects.last == .seal(wantedName: "a.jpg", mustHash: true))
    }

    @Test("Header fields are kept as long as a request may follow, and forgotten with the document stored")
    func forgetsHeaders() throws {
        let secret = try RequestHeader(name: "Authorization", value: "Bearer secret")
        var harness = try MachineHarness(headers: [secret])
        try harness.grantPermit()
        try harness.begin()
        try harness.end(.refused(JobFailure(.http(403), "forbidden")))
        #expect(harness.job.headers == [secret])
        try harness.feed(.retry(nil))
        try harness.grantPermit()
        try harness.begin()
        try harness.end(.completed(length: 100, lengthProven: true))
        try harness.seal()
        #expect(harness.job.headers == [secret])
        try harness.publish()
        #expect(harness.job.headers.isEmpty)
    }

    @Test("A name that was taken meanwhile is given up for the next")
    func nameTaken() throws {
        var harness = try complete()
        try harness.seal()
        harness.isPublishing = false
        try harness.feed(.storage(.nameTaken(freeName: "a (2).jpg")))
        #expect(harness.job.reservation?.name == "a (2).jpg")
        try harness.publish()
        #expect(harness.job.path == "/d/a (2).jpg")
    }

    @Test("A wrong checksum fails the job and publishes nothing")
    func checksum() throws {
        var harness = try complete()
        harness.machine = {
            var job = harness.machine.job
            job.expectedSHA256 = "ff"
            return JobMachine(job: job)
        }()
        harness.isSealing = false
        harness.isQueued = true
        try harness.feed(.recovered(nil))
        try harness.grantPermit()
        try harness.seal(sha256: "ab")
        #expect(harness.state == .failed)
        #expect(harness.job.failure?.code == .checksumMismatch)
        #expect(harness.partialLength == nil)
        #expect(harness.job.reservation == nil)
    }

    @Test("A full disk keeps the partial and waits; a failed sync discards it")
    func sealFailures() throws {
        for keepsPartial in [true, false] {
            var harness = try complete()
            harness.isSealing = false
            let failure = JobFailure(keepsPartial ? .diskFull : .storageError, "no")
            try harness.feed(.storage(.sealFailed(failure, keepsPartial: keepsPartial)))
            #expect(harness.state == .waiting)
            #expect((harness.partialLength == nil) == !keepsPartial)
            #expect((harness.job.validator == nil) == !keepsPartial)
        }
    }

    @Test("A rename that fails waits, and is made again from the whole partial")
    func publishFailure() throws {
        var harness = try complete()
        try harness.seal()
        harness.isPublishing = false
        try harness.feed(.storage(.publishFailed(JobFailure(.diskFull, "no room"), keepsPartial: true)))
        #expect(harness.state == .waiting)
        try harness.feed(.retryDue)
        try harness.grantPermit()
        try harness.seal()
        try harness.publish()
        #expect(harness.events.filter { if case .finished = $0 { true } else { false } }.count == 1)
    }

    @Test("After a crash, a reserved name that holds the file is published, and told once")
    func recoverPublished() throws {
        var harness = try complete()
        try harness.seal()
        harness.crash()
        harness.documentPath = "/d/a.jpg"
        try harness.feed(.recovered(.published(path: "/d/a.jpg")))
        #expect(harness.state == .stored)
        #expect(harness.events == [.stored(name: "a.jpg", path: "/d/a.jpg")])
    }

    @Test("After a crash, a document is known as what was stored if the store says that it is")
    func recoverMark() throws {
        for mark in [nil, FileMark(inode: 7, length: 100, modified: 1, changed: 12)] {
            var harness = try complete()
            try harness.seal()
            harness.crash()
            harness.documentPath = "/d/a.jpg"
            try harness.feed(.recovered(.published(path: "/d/a.jpg", mark: mark)))
            #expect(harness.state == .stored && harness.job.documentMark == mark)
        }
    }

    @Test("After a crash, a partial that was not renamed yet is renamed now")
    func recoverPending() throws {
        var harness = try complete()
        try harness.seal()
        harness.crash()
        #expect(harness.job.reservation?.sealed.modified == nil)
        try harness.feed(.recovered(.pending(modified: 7)))
        // What is stored is known by it, and so can be removed, and shares its result.
        #expect(harness.job.reservation?.sealed.modified == 7)
        try harness.publish()
        #expect(harness.state == .stored)
    }

    @Test("After a crash, a file that is neither here nor there is fetched again")
    func recoverLost() throws {
        var harness = try complete()
        try harness.seal()
        harness.crash()
        harness.partialLength = nil
        try harness.feed(.recovered(.lost))
        #expect(harness.state == .queued)
        #expect(harness.job.reservation == nil)
    }

    @Test("After a crash in mid-download the job is queued, in mid-detection it is looked at again")
    func recoverOthers() throws {
        var downloading = try MachineHarness()
        try downloading.grantPermit()
        downloading.crash()
        try downloading.feed(.recovered(nil))
        #expect(downloading.state == .queued)
        #expect(downloading.isQueued)

        var detecting = try MachineHarness()
        try detecting.download()
        try detecting.feed(.detectionBegan)
        detecting.crash()
        try detecting.feed(.recovered(nil))
        #expect(detecting.state == .stored)
        #expect(detecting.isInDetection)

        var waiting = try MachineHarness()
        try waiting.grantPermit()
        try waiting.end(.interrupted(JobFailure(.timedOut, "slow"), retryAfter: 60))
        let until = try #require(waiting.job.waiting?.until)
        waiting.crash()
        try waiting.feed(.recovered(nil))
        #expect(waiting.moves == [.wake(at: until)] && waiting.effects.isEmpty)
    }
}
