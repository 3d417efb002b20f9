import Foundation
import Glibc
import TestSupport
import Testing

@testable import Receivers

/// Sidecars that are written as results come.
struct SidecarFollowerTests {
    @Test("It begins with what comes next, goes on after a restart, and begins anew when it was off")
    func follows() async throws {
        let stage = try SidecarStage()
        try stage.look(1)
        let first = stage.follower()
        first.configure(leastFree: 0)
        #expect(await stage.keeps(1))
        for number in 2...250 { try stage.look(Int64(number)) }
        stage.somethingEnded()
        #expect(await stage.keeps(250))
        #expect(try stage.sidecars.count == 249 && !stage.sidecars.contains("1.jpg.xmp"))
        await first.stop()
        try stage.look(251)
        let second = stage.follower()
        second.configure(leastFree: 0)
        #expect(await stage.keeps(251))
        second.configure(leastFree: nil)
        try stage.look(252)
        stage.somethingEnded()
        await second.stop()
        let third = stage.follower()
        third.configure(leastFree: 0)
        #expect(await stage.keeps(252))
        await third.stop()
        #expect(try stage.sidecars.count == 250)
    }

    @Test("A result that changes changes the sidecar; one that has moved on is passed over")
    func changes() async throws {
        let stage = try SidecarStage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.look(1, name: "a.jpg")
        stage.results.withLock { $0.append(SidecarItem(number: 2, job: nil)) }
        try stage.look(3, name: "a.jpg", faces: 2)
        stage.somethingEnded()
        #expect(await stage.keeps(3))
        let text = String(decoding: try stage.directory.read("documents/a.jpg.xmp"), as: UTF8.self)
        #expect(text.components(separatedBy: "mwg-rs:Type=\"Face\"").count == 3)
        try stage.look(4, name: "a.jpg", faces: 0)
        stage.somethingEnded()
        #expect(await stage.keeps(4))
        #expect(try stage.sidecars.isEmpty)
        await follower.stop()
    }

    @Test("While no document can be found it waits, and doesn't take any for removed")
    func lostDocuments() async throws {
        let stage = try SidecarStage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.look(1)
        stage.obstacle.withLock { $0 = "the documents are not there" }
        stage.somethingEnded()
        #expect(await stage.directory.appears("reports"))
        follower.settle()
        #expect(try stage.sidecars.isEmpty)
        stage.obstacle.withLock { $0 = nil }
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(1))
        #expect(try stage.sidecars == ["1.jpg.xmp"])
        #expect(
            stage.log.lines.withLock(\.self) == [
                "sidecars wait: the documents are not there", "sidecars are written again",
            ]
        )
        await follower.stop()
    }

    @Test("While the disk has no room it waits, says so once, and loses nothing")
    func fullDisk() async throws {
        let stage = try SidecarStage()
        let follower = stage.follower()
        follower.configure(leastFree: 1000)
        #expect(await stage.keeps(0))
        try stage.look(1)
        stage.somethingEnded()
        #expect(await stage.directory.appears("reports"))
        follower.configure(leastFree: 1000)
        follower.settle()
        #expect(try stage.sidecars.isEmpty)
        stage.free.withLock { $0 = 2000 }
        follower.configure(leastFree: 1000)
        #expect(await stage.keeps(1))
        #expect(try stage.sidecars == ["1.jpg.xmp"])
        #expect(
            stage.log.lines.withLock(\.self) == [
                "sidecars wait: the documents' disk has no more free space than disk.reserve",
                "sidecars are written again",
            ]
        )
        await follower.stop()
    }

    @Test("What is somebody else's is left alone and named, and others go on")
    func foreign() async throws {
        let stage = try SidecarStage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.directory.write(Array("theirs".utf8), to: "documents/1.jpg.xmp")
        try stage.look(1)
        try stage.look(2)
        stage.somethingEnded()
        #expect(await stage.keeps(2))
        #expect(try stage.directory.read("documents/1.jpg.xmp") == Array("theirs".utf8))
        let path = stage.directory.path("documents/1.jpg.xmp")
        #expect(
            stage.log.lines.withLock(\.self) == [
                "j1, \"1.jpg\", gets no sidecar: \(path) was written or changed by somebody else"
            ]
        )
        await follower.stop()
    }

    @Test("Where it was is waited for while that can't be read, and nothing is missed")
    func unreadableCursor() async throws {
        let stage = try SidecarStage()
        try stage.look(1)
        let first = stage.follower()
        first.configure(leastFree: 0)
        #expect(await stage.keeps(1))
        await first.stop()
        try stage.look(2)
        // A link is nothing that was kept, and none is followed.
        let (cursor, kept) = (stage.directory.path("sidecars"), stage.directory.path("kept"))
        #expect(rename(cursor, kept) == 0 && symlink(kept, cursor) == 0)
        let second = stage.follower()
        second.configure(leastFree: 0)
        second.settle()
        #expect(stage.log.lines.withLock { $0.first?.contains("sidecars can't be read: ") } == true)
        #expect(rename(kept, cursor) == 0)
        second.configure(leastFree: 0)
        #expect(await stage.keeps(2))
        #expect(try stage.sidecars == ["2.jpg.xmp"])
        await second.stop()
    }

    @Test("Where what was kept is damaged, that is told and set aside, and it begins with what comes next")
    func damagedCursor() async throws {
        let stage = try SidecarStage()
        try stage.look(1)
        try stage.directory.write(Array("facefetch-sidecars 1\n".utf8), to: "sidecars")
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(1))
        #expect(stage.log.lines.withLock { $0.first?.contains("sidecars.damaged") } == true)
        #expect(try stage.directory.read("sidecars.damaged") == Array("facefetch-sidecars 1\n".utf8))
        await follower.stop()
    }

    @Test("A sidecar that was downloaded, with the picture, from where facefetch wrote it, stays as it is")
    func mirrored() async throws {
        let stage = try SidecarStage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.look(1, name: "a.jpg")
        stage.somethingEnded()
        #expect(await stage.keeps(1))
        let theirs = try stage.directory.read("documents/a.jpg.xmp")
        stage.documents.withLock { _ = $0.insert(stage.directory.path("documents/a.jpg.xmp")) }
        try stage.look(2, name: "a.jpg", faces: 2)
        try stage.look(3, name: "a.jpg", faces: 0)
        stage.somethingEnded()
        #expect(await stage.keeps(3))
        #expect(try stage.directory.read("documents/a.jpg.xmp") == theirs)
        let reports = stage.log.lines.withLock(\.self)
        #expect(reports.map { $0.hasSuffix("was downloaded, and stays as it is") } == [true], "\(reports)")
        await follower.stop()
    }

    @Test("A receiver that hangs holds up no sidecar", .timeLimit(.minutes(1)))
    func holdsUpNothing() async throws {
        let (hooked, stage) = (try WebhookStage(), try SidecarStage())
        try await hooked.receive(["hang"])
        let webhook = hooked.webhook()
        webhook.configure(hooked.configuration())
        await hooked.begins()
        hooked.end(1...1)
        hooked.somethingEnded()
        _ = try await hooked.lines(1)
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.look(1)
        stage.somethingEnded()
        #expect(await stage.keeps(1))
        #expect(webhook.status.delivered == 0 && webhook.status.failed == 0)
        webhook.stop()
        await follower.stop()
    }
}
