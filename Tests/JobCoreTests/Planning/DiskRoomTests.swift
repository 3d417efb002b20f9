import JobCore
import JobModel
import Testing
import Vocabulary

struct DiskRoomTests {
    @Test("A file fits where its rest, what others were promised and the reserve are all free")
    func fits() {
        let room = DiskRoom(free: 1000, promised: 300, reserve: 200)
        #expect(room.refusal(needing: 500) == nil)
        #expect(room.refusal(needing: 501)?.code == .diskFull)
        #expect(room.refusal(needing: .max) != nil, "servers may announce any length")
        #expect(DiskRoom(free: 1000, promised: .max, reserve: 0).refusal(needing: 1) != nil)
    }

    @Test("A file of unknown length stops before it takes what others were promised; theirs go on")
    func stops() {
        let tight = DiskRoom(free: 499, promised: 300, reserve: 200)
        #expect(tight.isTight)
        #expect(tight.stop(lengthIsKnown: false)?.message.contains("other transfers need 300") == true)
        #expect(tight.stop(lengthIsKnown: true) == nil)
        let open = DiskRoom(free: 500, promised: 300, reserve: 200)
        #expect(!open.isTight)
        #expect(open.stop(lengthIsKnown: false) == nil)
        let used = DiskRoom(free: 199, promised: 0, reserve: 200)
        #expect(used.stop(lengthIsKnown: true)?.code == .diskFull)
    }

    @Test("The disk is looked at often enough for a small reserve, and seldom for a large one")
    func interval() {
        #expect(DiskRoom.lookInterval(reserve: 0) == 64 << 10)
        #expect(DiskRoom.lookInterval(reserve: 1 << 20) == 256 << 10)
        #expect(DiskRoom.lookInterval(reserve: 1 << 40) == 4 << 20)
    }

    @Test("A job that found the disk full needs what is missing, or more than it had where that isn't known")
    func needed() throws {
        var job = Job(
            id: JobID(rawValue: 1),
            batch: BatchID(rawValue: 1),
            createdAt: Moment(microseconds: 0),
            url: try JobURL("http://example.org/a.jpg"),
            name: "a.jpg"
        )
        #expect(job.neededRoom(held: 0) == nil)
        job.toldOfFullDisk = true
        job.totalBytes = 1000
        #expect(job.neededRoom(held: 400) == 600)
        job.totalBytes = nil
        job.furthestBytes = 80 << 20
        #expect(job.neededRoom(held: 0) == 90 << 20)
        #expect(job.neededRoom(held: 80 << 20) == 10 << 20)
        #expect(job.roomToBegin(held: 0) == 70 << 20, "to where it was before")
        #expect(job.roomToBegin(held: 20 << 20) == 50 << 20)
        job.furthestBytes = 4 << 20
        #expect(job.roomToBegin(held: 0) == 5 << 20, "a short one waits for more")
        job.totalBytes = 1000 << 20
        #expect(job.roomToBegin(held: 0) == 1000 << 20)
        job.toldOfFullDisk = false
        #expect(job.roomToBegin(held: 0) == nil)
    }
}
