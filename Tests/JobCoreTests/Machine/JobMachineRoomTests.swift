import JobCore
import TestSupport
import Testing

/// What a job does with its partial when the disk has no room for the rest.
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
        "A partial that nothing can go on from gives its room back, and one that can be gone on with stays",
        arguments: [nil, 9000] as [Int64?]
    )
    func givesBack(total: Int64?) throws {
        for validator in [nil, Validator.entityTag("\"v1\"")] {
            for isStopped in [false, true] {
                var harness = try writing(validator: validator, total: total)
                if isStopped { try harness.feed(.roomRefused(full)) }
                try harness.end(isStopped ? .stopped : .interrupted(full, retryAfter: nil))
                #expect(harness.state == .waiting)
                #expect(harness.partialLength == (validator == nil ? nil : 5000))
                #expect(harness.job.bytes == (validator == nil ? 0 : 5000))
                #expect(harness.job.totalBytes == total, "it is known what the next try needs")
                #expect(harness.job.neededRoom(held: 0) ?? 0 > 5000)
                let restarts = harness.events.filter { if case .restarted = $0 { true } else { false } }
                #expect(restarts.count == (validator == nil ? 1 : 0))
            }
        }
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
}
