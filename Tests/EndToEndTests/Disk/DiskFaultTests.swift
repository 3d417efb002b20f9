import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests of what becomes of downloads when the disk fails under the real daemon.
@Suite(.enabled(if: FaultyDisk.isThere, Comment(rawValue: FaultyDisk.comment)), .timeLimit(.minutes(2)))
struct DiskFaultTests {
    private static let size = 1_000_000

    /// A daemon over a disk that can fail, and one file whose second half waits at a gate.
    private struct Scene {
        let origin: Origin
        let installation: Installation
        let disk: FaultyDisk
        let daemon: Program
        let events: Program
        let file: OriginFile
        let gate = OriginGate()

        init() async throws {
            origin = try Origin.start()
            installation = try Installation()
            disk = FaultyDisk(installation)
            file = OriginFile(seed: 9, count: DiskFaultTests.size)
            daemon = try await installation.startDaemon(environment: disk.environment)
            events = try installation.follow()
            let (file, gate) = (file, gate)
            origin.serve("/a.jpg") { request in
                let answer = file.answer(to: request)
                return request.index == 0 ? answer.held(beforeByte: 500_000, by: gate) : answer
            }
        }

        var documents: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: installation.documents) }
        }

        func add() async throws {
            #expect(try await installation.facefetch("add", origin.url("/a.jpg")).status == 0)
        }

        func job() async throws -> JobJSON {
            try #require(try installation.jobs(try await installation.facefetch("list", "--json")).first)
        }

        /// Waits for the document, and checks it.
        func stored() async throws {
            #expect(await events.outputLine(containing: "stored \"a.jpg\" at ") != nil)
            #expect(try documents == ["a.jpg"])
            let isWhole = try installation.document("a.jpg") == file.bytes
            #expect(isWhole)
        }

        func end() async {
            gate.open()
            events.signal(SIGKILL)
            #expect(await daemon.stop() == 0)
            origin.stop()
        }
    }

    @Test(
        "A disk that is full in mid-write, or a quota that is used up, makes the job wait and go on by itself",
        arguments: [ENOSPC, EDQUOT]
    )
    func full(number: Int32) async throws {
        let scene = try await Scene()
        try await scene.add()
        #expect(await scene.events.outputLine(containing: "\"a.jpg\", 50% done") != nil)
        try scene.disk.fail(.write, with: number, in: "/1.part")
        scene.gate.open()
        #expect(await scene.events.outputLine(containing: "waiting to retry \"a.jpg\" until ") != nil)
        let job = try await scene.job()
        #expect(job.state == "waiting")
        let words = number == ENOSPC ? "the disk is full" : "the disk quota is used up"
        #expect(job.waiting?.code == "disk_full")
        #expect(job.waiting?.reason == words)
        #expect(try scene.documents.isEmpty)
        scene.disk.heal()
        try await scene.stored()
        let last = try #require(scene.origin.requests("/a.jpg").last)
        #expect(last.header("range") != nil, "what had arrived is not fetched again")
        await scene.end()
    }

    @Test(
        "An I/O error in mid-write, and a sync that fails, give up the partial: the file comes anew",
        arguments: [(FaultyDisk.Call.write, EIO), (.sync, EIO), (.sync, ENOSPC), (.sync, EDQUOT)]
    )
    func broken(call: FaultyDisk.Call, number: Int32) async throws {
        let scene = try await Scene()
        try await scene.add()
        #expect(await scene.events.outputLine(containing: "\"a.jpg\", 50% done") != nil)
        try scene.disk.fail(call, with: number, in: "/1.part")
        scene.gate.open()
        #expect(
            await scene.events.outputLine(containing: "restarted download of \"a.jpg\" from zero: ") != nil
        )
        #expect(try scene.documents.isEmpty)
        scene.disk.heal()
        try await scene.stored()
        let last = try #require(scene.origin.requests("/a.jpg").last)
        #expect(last.header("range") == nil, "nothing of it is believed")
        await scene.end()
    }

    @Test("A rename whose sync fails is taken back: nothing is called stored that a power cut could undo")
    func unsyncedRename() async throws {
        let scene = try await Scene()
        try scene.disk.fail(.sync, with: EIO, in: "/documents")
        scene.gate.open()
        try await scene.add()
        #expect(
            await scene.events.outputLine(containing: "restarted download of \"a.jpg\" from zero: ") != nil
        )
        #expect(try scene.documents.isEmpty)
        scene.disk.heal()
        try await scene.stored()
        await scene.end()
    }

    @Test(
        "With no room for the job store, a post is refused with 507 at once, and nothing that was accepted is lost",
        arguments: [(FaultyDisk.Call.write, ENOSPC), (.write, EDQUOT), (.sync, EDQUOT)]
    )
    func storeFull(call: FaultyDisk.Call, number: Int32) async throws {
        let scene = try await Scene()
        try await scene.add()
        #expect(await scene.events.outputLine(containing: "\"a.jpg\", 50% done") != nil)
        try scene.disk.fail(call, with: number, in: "facefetch.sqlite")
        // The first of these is the very post whose commit finds the disk full.
        for _ in 0..<2 {
            let refused = try await scene.installation.facefetch("add", scene.origin.url("/b.jpg"))
            #expect(refused.status != 0)
            #expect(refused.errors.contains("he disk is full"), "\(refused.errors)")
        }
        scene.gate.open()
        #expect(try scene.documents.isEmpty)
        scene.disk.heal()
        try await scene.stored()
        scene.origin.serve("/b.jpg", OriginFile(seed: 2, count: 1000))
        let taken = try await scene.installation.facefetch("add", scene.origin.url("/b.jpg"))
        #expect(taken.status == 0)
        let jobs = try scene.installation.jobs(try await scene.installation.facefetch("list", "--json"))
        #expect(jobs.map(\.url) == [scene.origin.url("/a.jpg"), scene.origin.url("/b.jpg")])
        await scene.end()
    }

    @Test("A job store that can't be written ends the daemon with 74, and the next start recovers")
    func storeBroken() async throws {
        let scene = try await Scene()
        try await scene.add()
        #expect(await scene.events.outputLine(containing: "\"a.jpg\", 50% done") != nil)
        scene.events.signal(SIGKILL)
        try scene.disk.fail(.write, with: EIO, in: "facefetch.sqlite")
        scene.gate.open()
        #expect(await scene.daemon.status == 74)
        scene.disk.heal()
        let next = try await scene.installation.startDaemon(environment: scene.disk.environment)
        let events = try scene.installation.follow()
        #expect(await events.outputLine(containing: "stored \"a.jpg\" at ") != nil)
        events.signal(SIGKILL)
        let isWhole = try scene.installation.document("a.jpg") == scene.file.bytes
        #expect(isWhole)
        #expect(await next.stop() == 0)
        scene.origin.stop()
    }
}
