import JobCore
import JobModel
import TestSupport
import Testing

/// Tests of what a job does with its partial when the disk has no room for the rest.
struct JobMachineRoomTests {
    private let full = JobFailure(.diskFull, "the disk is full")

    private func writing(validator: Validator?, total: Int64?) throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin(total: total, validator: validator)
        try harness.progress(5000)
        return harness
    }

    @Test(
        "A partial that nothing can go on from, or whose end nobody knows, gives its room back, and any other stays",
        arguments: [nil, 9000] as [Int64?]
    )
    func givesBack(total: Int64?) throws {
        for validator in [nil, Validator.entityTag("\"v1\"")] {
            let staysThere = validator != nil && total != nil
            for isStopped in [false, true] {
                var harness = try writing(validator: validator, total: total)
                if isStopped { try harness.feed(.roomRefused(full)) }
                try harness.end(isStopped ? .stopped : .interrupted(full, retryAfter: nil))
                #expect(harness.state == .waiting)
                #expect(harness.partialLength == (staysThere ? 5000 : nil))
                #expect(harness.job.bytes == (staysThere ? 5000 : 0))
                #expect(harness.job.totalBytes == total, "it is known what the next try needs")
                #expect(harness.job.neededRoom(held: 0) ?? 0 > 5000)
                let restarts = harness.events.filter { if case .restarted = $0 { true } else { false } }
                #expect(restarts.count == (staysThere ? 0 : 1))
            }
        }
    }

    /// Fetches a file of unknown length until the disk is full, `bytes` from its beginning.
    private func fill(_ harness: inout MachineHarness, at bytes: Int64, validator: Validator? = nil) throws {
        if harness.state == .waiting {
            harness.now = try #require(harness.job.waiting?.until)
            try harness.feed(.retryDue)
        }
        try harness.grantPermit()
        try harness.begin(total: nil, validator: validator)
        try harness.progress(bytes)
        try harness.end(.interrupted(full, retryAfter: nil))
    }

    @Test("A file without a length ends where it fills the disk again", arguments: [nil, "\"v1\""])
    func comesBack(tag: String?) throws {
        for second in [90 << 20, 100 << 20, 110 << 20] as [Int64] {
            var harness = try MachineHarness()
            try fill(&harness, at: 100 << 20, validator: tag.map(Validator.entityTag))
            #expect(harness.state == .waiting && harness.partialLength == nil)
            try fill(&harness, at: second, validator: tag.map(Validator.entityTag))
            #expect(harness.state == .failed && harness.partialLength == nil)
            #expect(harness.job.failure?.code == .tooLargeForDisk)
            #expect(harness.job.failure?.code.rawValue == "too_large_for_disk")
        }
    }

    @Test("One that gets farther waits again, as does one that others left no room, but not for ever")
    func getsFarther() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 4))
        try fill(&harness, at: 100 << 20)
        try fill(&harness, at: 120 << 20)
        #expect(harness.state == .waiting && harness.job.furthestBytes == 120 << 20)
        for _ in 0..<3 {
            try fill(&harness, at: 50 << 20)
            #expect(harness.state == .waiting && harness.partialLength == nil)
        }
        try fill(&harness, at: 50 << 20)
        #expect(harness.job.failure?.code == .tooLargeForDisk)
        // Whoever has made room tries again.
        try harness.feed(.retry(nil))
        try harness.grantPermit()
        try harness.begin(total: nil)
        try harness.progress(200 << 20)
        try harness.end(.completed(length: 200 << 20, lengthProven: true))
        #expect(harness.isSealing)
    }

    @Test("A short one waits for room as long as that takes: it is not what fills the disk")
    func short() throws {
        var harness = try MachineHarness()
        for _ in 0..<50 {
            try fill(&harness, at: 500_000)
            #expect(harness.state == .waiting && harness.partialLength == nil)
        }
        #expect(harness.job.fruitlessTries == 0)
    }

    @Test("What an earlier attempt has left of one doesn't take the room that it waits for")
    func leftover() throws {
        var harness = try MachineHarness()
        try fill(&harness, at: 100 << 20)
        harness.now = try #require(harness.job.waiting?.until)
        try harness.feed(.retryDue)
        try harness.grantPermit()
        try harness.begin(total: nil)
        try harness.progress(50 << 20)
        try harness.end(.interrupted(JobFailure(.connectionLost, "gone"), retryAfter: nil))
        #expect(harness.partialLength == 50 << 20)
        harness.now = try #require(harness.job.waiting?.until)
        try harness.feed(.retryDue)
        harness.isQueued = false
        harness.hasPermit = true
        try harness.feed(.roomRefused(full))
        #expect(harness.state == .waiting && harness.partialLength == nil && harness.job.bytes == 0)
    }

    @Test("No try counts for want of descriptors or memory, and no partial is given up for it")
    func shortage() throws {
        var harness = try writing(validator: .entityTag("\"v1\""), total: 9000)
        let shortage = try #require(JobFailure.shortage(errorNumber: 24))
        for _ in 0..<50 {
            try harness.end(.interrupted(shortage, retryAfter: nil))
            #expect(harness.state == .waiting)
            #expect(harness.job.waiting?.reason == shortage)
            #expect(harness.partialLength == 5000)
            harness.now = try #require(harness.job.waiting?.until)
            try harness.feed(.retryDue)
            try harness.grantPermit()
        }
        #expect(harness.job.fruitlessTries == 0)
        let lines = harness.events.filter { if case .waiting = $0 { true } else { false } }
        #expect(lines.count == 1, "it is told once")
    }

    @Test("No try counts for a place that somebody has taken away, be it a partial's or a document's")
    func lost() throws {
        let lost = JobFailure(.storageLost, "it is not there any more")
        var harness = try writing(validator: .entityTag("\"v1\""), total: 9000)
        for _ in 0..<50 {
            try harness.end(.interrupted(lost, retryAfter: nil))
            #expect(harness.state == .waiting && harness.partialLength == 5000)
            harness.now = try #require(harness.job.waiting?.until)
            try harness.feed(.retryDue)
            try harness.grantPermit()
        }
        #expect(harness.job.fruitlessTries == 0)
    }

    @Test("Only the disk takes a partial away: a server that breaks off leaves it to be looked at")
    func brokenOff() throws {
        var harness = try writing(validator: nil, total: nil)
        try harness.end(.interrupted(JobFailure(.truncated, "no more"), retryAfter: nil))
        #expect(harness.partialLength == 5000)
    }

    @Test("A file that turned out larger than any that is fetched leaves nothing behind")
    func tooLarge() throws {
        var harness = try writing(validator: .entityTag("\"v1\""), total: nil)
        try harness.end(.refused(.tooLarge(6000, maximum: 5500)))
        #expect(harness.state == .failed)
        #expect(harness.partialLength == nil)
    }

    @Test("A transfer that was complete when it was stopped for want of room keeps what it has")
    func complete() throws {
        var harness = try writing(validator: nil, total: nil)
        try harness.feed(.roomRefused(full))
        try harness.end(.completed(length: 5000, lengthProven: true))
        #expect(harness.partialLength == 5000)
        try harness.feed(.retryDue)
        try harness.grantPermit()
        #expect(harness.isSealing)
    }

    @Test(
        "What the machine lacks besides room says nothing about a file's length: only a full disk ends it",
        arguments: [FailureCode.storageLost, .outOfResources]
    )
    func otherShortages(code: FailureCode) throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin(total: nil, validator: nil)
        try harness.progress(100 << 20)
        try harness.end(.interrupted(JobFailure(code, "it is not there"), retryAfter: nil))
        #expect(harness.state == .waiting && harness.job.roomToBegin(held: 0) == nil)
        try fill(&harness, at: 100 << 20)
        #expect(harness.state == .waiting, "the disk was full once")
        try fill(&harness, at: 100 << 20)
        #expect(harness.job.failure?.code == .tooLargeForDisk)
    }

    @Test("Each thing that the machine lacks is told once, however often it is lacking")
    func toldOnce() throws {
        var harness = try MachineHarness()
        let failures = [
            JobFailure(.outOfResources, "no memory"), JobFailure(.storageLost, "not there"), full,
        ]
        for failure in failures + failures + failures {
            if harness.state == .waiting {
                harness.now = try #require(harness.job.waiting?.until)
                try harness.feed(.retryDue)
            }
            try harness.grantPermit()
            try harness.begin(total: 9000)
            try harness.progress(5000)
            try harness.end(.interrupted(failure, retryAfter: nil))
        }
        let told = harness.events.compactMap {
            if case .waiting(_, _, let reason) = $0 { reason } else { nil }
        }
        #expect(told == failures && harness.job.fruitlessTries == 0)
    }

    @Test(
        "A job whose source's recipe can't be used waits as long as that takes, looks seldom, and says it once"
    )
    func unusableSource() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 2, maximumAge: 60))
        let failure = JobFailure(
            .sourceUnusable,
            "the stored recipe of the source mars can't be used any more"
        )
        for _ in 0..<50 {
            try harness.grantPermit()
            let began = harness.now
            try harness.end(.interrupted(failure, retryAfter: nil))
            #expect(harness.state == .waiting && harness.job.waiting?.reason == failure)
            #expect(harness.job.fruitlessTries == 0 && harness.job.struggled == 0)
            harness.now = try #require(harness.job.waiting?.until)
            #expect(harness.now.seconds(since: began) == 300)
            try harness.feed(.retryDue)
        }
        let told = harness.events.count { if case .waiting = $0 { true } else { false } }
        #expect(told == 1)
        // Once somebody has replaced the recipe, it goes on.
        try harness.grantPermit()
        try harness.begin(total: 5000)
        try harness.progress(5000)
        try harness.end(.completed(length: 5000, lengthProven: true))
        #expect(harness.isSealing)
    }

    @Test("A failed job keeps its partial only if a retry could go on from it")
    func failed() throws {
        for validator in [nil, Validator.entityTag("\"v1\"")] {
            for isRefused in [false, true] {
                var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 1))
                // What an earlier attempt got, so that this one brings nothing new.
                var job = harness.job
                job.furthestBytes = 5000
                harness.machine = JobMachine(job: job)
                try harness.grantPermit()
                try harness.begin(total: nil, validator: validator)
                try harness.progress(5000)
                let failure = JobFailure(.incompleteCoding, "what came of it broke off")
                try harness.end(isRefused ? .refused(failure) : .interrupted(failure, retryAfter: nil))
                #expect(harness.state == .failed)
                #expect((harness.partialLength == nil) == (validator == nil))
                #expect(harness.job.bytes == (validator == nil ? 0 : 5000))
                try harness.feed(.retry(nil))
                try harness.grantPermit()
            }
        }
    }

    @Test("A whole file that could not be stored is no partial to be discarded")
    func failedWhole() throws {
        var harness = try MachineHarness(retry: RetryPolicy(maximumTries: 1))
        try harness.grantPermit()
        try harness.begin(total: 100, validator: nil)
        try harness.progress(100)
        try harness.end(.completed(length: 100, lengthProven: true))
        harness.isSealing = false
        try harness.feed(
            .storage(.sealFailed(JobFailure(.storageError, "can't be read"), keepsPartial: true))
        )
        #expect(harness.state == .failed && harness.partialLength == 100)
    }
}
