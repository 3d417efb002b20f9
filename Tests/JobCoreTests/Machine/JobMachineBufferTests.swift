import JobModel
import Testing
import Vocabulary

/// Small bodies that stay in memory until they are whole.
struct JobMachineBufferTests {
    private func harness() throws -> MachineHarness {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        return harness
    }

    @Test("A body in memory is stored in one step, and told of as any other")
    func stored() throws {
        var harness = try harness()
        try harness.endInMemory()
        #expect(harness.machine.activity == .publishing)
        #expect(!harness.hasPermit)
        let mark = FileMark(inode: 7, length: 100, modified: 0, changed: 1)
        try harness.store(mark: mark)
        #expect(harness.state == .stored)
        #expect(harness.job.sha256 == "ab" && harness.job.bytes == 100 && harness.job.path == "/d/a.jpg")
        #expect(harness.job.reservation == nil)
        let told = harness.events.suffix(2)
        #expect(told.first == .finished(url: harness.job.url.masked, partialPath: "/p/3.part"))
        #expect(told.last == .stored(name: "a.jpg", path: "/d/a.jpg"))
        let percents = harness.events.compactMap {
            if case .progressed(_, let percent) = $0 { percent } else { nil }
        }
        #expect(percents == Array(stride(from: 10, through: 100, by: 10)))
    }

    @Test("A job that is paused while its body is stored has a document then, and goes on with that")
    func paused() throws {
        var harness = try harness()
        try harness.endInMemory()
        try harness.feed(.pause)
        try harness.store()
        #expect(harness.state == .paused && harness.job.path == "/d/a.jpg")
        try harness.feed(.resume)
        #expect(harness.state == .stored)
    }

    @Test("A job whose body came whole while its transfer was being stopped for a pause is stored")
    func stoppedForPause() throws {
        var harness = try harness()
        try harness.feed(.pause)
        try harness.endInMemory()
        #expect(harness.isStoring)
        try harness.store()
        #expect(harness.state == .paused && harness.job.path == "/d/a.jpg")
    }

    @Test("A body from the old URL is given up where the job was given another")
    func stoppedForAnotherURL() throws {
        var harness = try harness()
        try harness.feed(.retry(try JobURL("https://example.org/b.jpg")))
        try harness.endInMemory()
        #expect(!harness.isStoring && harness.isQueued)
        #expect(harness.job.bytes == 0 && harness.job.totalBytes == nil)
    }

    @Test(
        "A cancelled job's document is removed, wherever its body was at that moment",
        arguments: [false, true]
    )
    func cancelled(isEarly: Bool) throws {
        var harness = try harness()
        if isEarly {
            try harness.feed(.cancel)
            try harness.endInMemory()
            #expect(!harness.isStoring)
            return
        }
        try harness.endInMemory()
        try harness.feed(.cancel)
        try harness.store(mark: FileMark(inode: 7, length: 100, modified: 0, changed: 1))
        #expect(harness.isRemoving)
    }

    @Test("A body that the disk has no room for is fetched again once there is, and that is said once")
    func full() throws {
        var harness = try harness()
        for _ in 0..<3 {
            if harness.state == .waiting {
                harness.now = harness.now.adding(seconds: 3600)
                try harness.feed(.retryDue)
                try harness.grantPermit()
                if !harness.isSealing {
                    try harness.begin()
                    try harness.end(.completed(length: 100, lengthProven: true))
                }
                harness.isSealing = false
                let failure = JobFailure(.diskFull, "the disk is full")
                try harness.feed(.storage(.sealFailed(failure, keepsPartial: true)))
            } else {
                try harness.endInMemory()
                try harness.failToStore(JobFailure(.diskFull, "the disk is full"))
            }
            #expect(harness.state == .waiting && harness.job.totalBytes == 100)
        }
        let waits = harness.events.filter { if case .waiting = $0 { true } else { false } }
        #expect(waits.count == 1)
        #expect(!harness.events.contains { if case .restarted = $0 { true } else { false } })
    }

    @Test("A job that waits for room still knows how much it needs, though its body had come")
    func stoppedForRoom() throws {
        var harness = try harness()
        try harness.feed(.roomRefused(JobFailure(.diskFull, "the disk is full")))
        try harness.endInMemory()
        #expect(harness.state == .waiting && !harness.isStoring)
        #expect(harness.job.bytes == 0 && harness.job.totalBytes == 100)
    }

    @Test("Room for bodies in memory is given back once nobody has a body any more")
    func room() {
        let room = BufferRoom(limit: 10)
        #expect(room.reserve(6))
        var body: BufferedBody? = BufferedBody([1, 2, 3, 4, 5], of: room, taken: 6)
        #expect(body?.length == 5)
        #expect(!room.reserve(5))
        #expect(room.reserve(4))
        body = nil
        #expect(room.reserve(6) && !room.reserve(1))
    }

    @Test("A body that can't be stored is fetched again, and it is said why")
    func failed() throws {
        var harness = try harness()
        try harness.endInMemory()
        try harness.failToStore(JobFailure(.storageError, "the file can't be written: Input/output error"))
        #expect(harness.state == .waiting && harness.job.bytes == 0)
        let reason = "the file can't be written: Input/output error"
        #expect(harness.events.contains(.restarted(name: "a.jpg", reason: reason)))
    }
}
