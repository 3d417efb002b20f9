import ExportFormats
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Sidecars

/// Sidecars that are written as results come.
struct SidecarFollowerTests {
    /// A stage with what was looked at, and a follower of it.
    private final class Stage: Sendable {
        let directory: TemporaryDirectory
        let results = Mutex<[SidecarItem]>([])
        let reports = Mutex<[String]>([])
        let free = Mutex<Int64?>(1000)
        let documents = Mutex<Set<String>>([])
        let obstacle = Mutex<String?>(nil)

        init() throws {
            directory = try TemporaryDirectory()
            _ = try directory.directory("documents")
        }

        func follower() -> SidecarFollower {
            SidecarFollower(
                cursorPath: directory.path("sidecars"),
                documents: directory.path("documents"),
                freeBytes: { self.free.withLock(\.self) },
                obstacle: { self.obstacle.withLock(\.self) },
                report: { report in
                    self.reports.withLock { $0.append(report.text) }
                    _ = try? self.directory.write([], to: "reports")
                },
                isDocument: { path in self.documents.withLock { $0.contains(path) } },
                source: { after, limit in
                    let all = self.results.withLock(\.self)
                    let behind = all.filter { $0.number > after }
                    return SidecarPage(
                        items: Array(behind.prefix(limit)),
                        hasMore: behind.count > limit,
                        newest: all.last?.number ?? 0
                    )
                }
            )
        }

        /// One more picture was looked at.
        func look(_ number: Int64, name: String? = nil, faces: Int = 1) throws {
            let name = name ?? "\(number).jpg"
            let path = try directory.write(Array("pixels".utf8), to: "documents/" + name)
            let boxes = (0..<faces).map { Box(x: $0, y: 0, width: 20, height: 20) }
            let job = SidecarPlaceTests.job(path, name: name, faces: boxes, bytes: 6)
            results.withLock { $0.append(SidecarItem(number: number, job: job)) }
        }

        func keeps(_ number: Int64) async -> Bool {
            await FolderWatch.until(in: directory.path) {
                (try? SidecarCursor(path: self.directory.path("sidecars")).read()) == .number(number)
            }
        }

        var sidecars: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: directory.path("documents")).filter {
                    $0.hasSuffix(".xmp")
                }.sorted()
            }
        }
    }

    @Test("It begins with what comes next, goes on after a restart, and begins anew when it was off")
    func follows() async throws {
        let stage = try Stage()
        try stage.look(1)
        let first = stage.follower()
        first.configure(leastFree: 0)
        #expect(await stage.keeps(1))
        for number in 2...250 { try stage.look(Int64(number)) }
        first.somethingEnded()
        #expect(await stage.keeps(250))
        #expect(try stage.sidecars.count == 249 && !stage.sidecars.contains("1.jpg.xmp"))
        await first.stop()
        try stage.look(251)
        let second = stage.follower()
        second.configure(leastFree: 0)
        #expect(await stage.keeps(251))
        second.configure(leastFree: nil)
        try stage.look(252)
        second.somethingEnded()
        await second.stop()
        let third = stage.follower()
        third.configure(leastFree: 0)
        #expect(await stage.keeps(252))
        await third.stop()
        #expect(try stage.sidecars.count == 250)
    }

    @Test("A result that changes changes the sidecar; one that has moved on is passed over")
    func changes() async throws {
        let stage = try Stage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.look(1, name: "a.jpg")
        stage.results.withLock { $0.append(SidecarItem(number: 2, job: nil)) }
        try stage.look(3, name: "a.jpg", faces: 2)
        follower.somethingEnded()
        #expect(await stage.keeps(3))
        let text = String(decoding: try stage.directory.read("documents/a.jpg.xmp"), as: UTF8.self)
        #expect(text.components(separatedBy: "mwg-rs:Type=\"Face\"").count == 3)
        try stage.look(4, name: "a.jpg", faces: 0)
        follower.somethingEnded()
        #expect(await stage.keeps(4))
        #expect(try stage.sidecars.isEmpty)
        await follower.stop()
    }

    @Test("While no document can be found it waits, and doesn't take any for removed")
    func lostDocuments() async throws {
        let stage = try Stage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.look(1)
        stage.obstacle.withLock { $0 = "the documents are not there" }
        follower.somethingEnded()
        #expect(await stage.directory.appears("reports"))
        await follower.settle()
        #expect(try stage.sidecars.isEmpty)
        stage.obstacle.withLock { $0 = nil }
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(1))
        #expect(try stage.sidecars == ["1.jpg.xmp"])
        #expect(
            stage.reports.withLock(\.self) == [
                "sidecars wait: the documents are not there", "sidecars are written again",
            ]
        )
        await follower.stop()
    }

    @Test("While the disk has no room it waits, says so once, and loses nothing")
    func fullDisk() async throws {
        let stage = try Stage()
        let follower = stage.follower()
        follower.configure(leastFree: 1000)
        #expect(await stage.keeps(0))
        try stage.look(1)
        follower.somethingEnded()
        #expect(await stage.directory.appears("reports"))
        follower.configure(leastFree: 1000)
        await follower.settle()
        #expect(try stage.sidecars.isEmpty)
        stage.free.withLock { $0 = 2000 }
        follower.configure(leastFree: 1000)
        #expect(await stage.keeps(1))
        #expect(try stage.sidecars == ["1.jpg.xmp"])
        #expect(
            stage.reports.withLock(\.self) == [
                "sidecars wait: the documents' disk has no more free space than disk.reserve",
                "sidecars are written again",
            ]
        )
        await follower.stop()
    }

    @Test("What is somebody else's is left alone and named, and others go on")
    func foreign() async throws {
        let stage = try Stage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.directory.write(Array("theirs".utf8), to: "documents/1.jpg.xmp")
        try stage.look(1)
        try stage.look(2)
        follower.somethingEnded()
        #expect(await stage.keeps(2))
        #expect(try stage.directory.read("documents/1.jpg.xmp") == Array("theirs".utf8))
        let path = stage.directory.path("documents/1.jpg.xmp")
        #expect(
            stage.reports.withLock(\.self) == [
                "j1, \"1.jpg\", gets no sidecar: \(path) was written or changed by somebody else"
            ]
        )
        await follower.stop()
    }

    @Test("Where it was is waited for while that can't be read, and nothing is missed")
    func unreadableCursor() async throws {
        let stage = try Stage()
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
        await second.settle()
        #expect(stage.reports.withLock { $0.first?.contains("sidecars can't be read: ") } == true)
        #expect(rename(kept, cursor) == 0)
        second.configure(leastFree: 0)
        #expect(await stage.keeps(2))
        #expect(try stage.sidecars == ["2.jpg.xmp"])
        await second.stop()
    }

    @Test("Where what was kept is damaged, that is told and set aside, and it begins with what comes next")
    func damagedCursor() async throws {
        let stage = try Stage()
        try stage.look(1)
        try stage.directory.write(Array("facefetch-sidecars 1\n".utf8), to: "sidecars")
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(1))
        #expect(stage.reports.withLock { $0.first?.contains("sidecars.damaged") } == true)
        #expect(try stage.directory.read("sidecars.damaged") == Array("facefetch-sidecars 1\n".utf8))
        await follower.stop()
    }

    @Test("A sidecar that was downloaded, with the picture, from where facefetch wrote it, stays as it is")
    func mirrored() async throws {
        let stage = try Stage()
        let follower = stage.follower()
        follower.configure(leastFree: 0)
        #expect(await stage.keeps(0))
        try stage.look(1, name: "a.jpg")
        follower.somethingEnded()
        #expect(await stage.keeps(1))
        let theirs = try stage.directory.read("documents/a.jpg.xmp")
        stage.documents.withLock { _ = $0.insert(stage.directory.path("documents/a.jpg.xmp")) }
        try stage.look(2, name: "a.jpg", faces: 2)
        try stage.look(3, name: "a.jpg", faces: 0)
        follower.somethingEnded()
        #expect(await stage.keeps(3))
        #expect(try stage.directory.read("documents/a.jpg.xmp") == theirs)
        let reports = stage.reports.withLock(\.self)
        #expect(reports.map { $0.hasSuffix("was downloaded, and stays as it is") } == [true], "\(reports)")
        await follower.stop()
    }
}
