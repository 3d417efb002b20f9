import ControlAPI
import Foundation
import TestSupport
import Testing

/// Documents on a file system that can't rename without replacing, as NFS and CephFS are.
@Suite(.enabled(if: FaultyDisk.isThere, Comment(rawValue: FaultyDisk.comment)), .timeLimit(.minutes(2)))
struct LinkedDocumentTests {
    /// The answer of such a file system to renameat2(2) with RENAME_NOREPLACE.
    private static let refusal = (call: FaultyDisk.Call.rename, number: EINVAL, path: "documents")

    @Test("Without such renames, documents get their names by links, and none takes another's place")
    func links() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let installation = try Installation()
        let disk = FaultyDisk(installation)
        try disk.fail([Self.refusal])
        let file = OriginFile(seed: 9, count: 100_000)
        for folder in 1...20 { origin.serve("/\(folder)/a.jpg", file) }
        let daemon = try await installation.startDaemon(environment: disk.environment)
        let events = try installation.follow()
        for folder in 1...20 {
            #expect(try await installation.facefetch("add", origin.url("/\(folder)/a.jpg")).status == 0)
        }
        for _ in 1...20 { #expect(await events.outputLine(containing: " deferred face detection") != nil) }
        events.signal(SIGKILL)
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
        #expect(names.count == 20)
        for name in names {
            let isWhole = try installation.document(name) == file.bytes
            #expect(isWhole, "\(name)")
        }
        #expect(try partials(of: installation).isEmpty)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A daemon that is killed between a document's link and the end of its partial has one document then"
    )
    func killed() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let installation = try Installation()
        let disk = FaultyDisk(installation)
        try disk.fail([Self.refusal])
        let file = OriginFile(seed: 9, count: 100_000)
        origin.serve("/a.jpg", file)
        let daemon = try await installation.startDaemon(environment: disk.environment)
        try disk.fail([Self.refusal, (call: .link, number: -1, path: "documents")])
        // The job is durable before it begins, but the answer to this may be lost with the daemon.
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await daemon.status == -SIGKILL)
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.documents) == ["a.jpg"])
        #expect(try partials(of: installation) == ["1.part"])
        try disk.fail([Self.refusal])
        let next = try await installation.startDaemon(environment: disk.environment)
        let events = try installation.follow()
        #expect(await events.outputLine(containing: " deferred face detection") != nil)
        events.signal(SIGKILL)
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(jobs.map(\.path) == [installation.documents + "/a.jpg"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.documents) == ["a.jpg"])
        #expect(try partials(of: installation).isEmpty)
        let isWhole = try installation.document("a.jpg") == file.bytes
        #expect(isWhole)
        #expect(origin.requests("/a.jpg").count == 1)
        #expect(await next.stop() == 0)
    }

    @Test("A file system without links, too, is refused with advice")
    func neither() async throws {
        let installation = try Installation()
        let disk = FaultyDisk(installation)
        try disk.fail([Self.refusal, (call: .link, number: EPERM, path: "documents")])
        let daemon = try Program("facefetchd", installation.flags, environment: disk.environment)
        #expect(await daemon.status == 73)
        #expect(
            await daemon.errorOutput().contains("has neither hard links nor renames that replace nothing")
        )
    }

    @Test(
        "On a real file system without such renames, documents come with their partials beside them",
        .enabled(if: UserDisk.isPossible, Comment(rawValue: UserDisk.comment))
    )
    func fileSystem() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let installation = try Installation()
        let disk = try UserDisk(.bindfs)
        let file = OriginFile(seed: 9, count: 100_000)
        origin.serve("/a.jpg", file)
        let daemon = try await installation.startDaemon(
            flags: ["--documents-dir", disk.path],
            environment: ["FACEFETCH_DETECTION_WHEN": "held"]
        )
        let events = try installation.follow()
        for _ in 1...2 {
            #expect(try await installation.facefetch("add", origin.url("/a.jpg")).status == 0)
            #expect(await events.outputLine(containing: " deferred face detection") != nil)
        }
        events.signal(SIGKILL)
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
        #expect(names == [".facefetch-partial", "a (2).jpg", "a.jpg"])
        for name in names.dropFirst() {
            #expect(FileManager.default.contents(atPath: disk.path + "/" + name) == Data(file.bytes))
        }
        let partials = try FileManager.default.contentsOfDirectory(atPath: disk.path + "/.facefetch-partial")
        // This file system may not tell directories apart, so there is a token in this one.
        #expect(partials.filter { !$0.hasPrefix(".facefetch-token-") }.isEmpty, "\(partials)")
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "One on which files get other inode numbers with other names is refused with advice",
        .enabled(if: UserDisk.isPossible, Comment(rawValue: UserDisk.comment))
    )
    func forgetfulFileSystem() async throws {
        let installation = try Installation()
        let disk = try UserDisk(.mergerfs)
        let daemon = try Program("facefetchd", installation.flags + ["--documents-dir", disk.path])
        #expect(await daemon.status == 73)
        #expect(await daemon.errorOutput().contains("(mergerfs: use_ino)"))
    }

    private func partials(of installation: Installation) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: installation.partials)
            .filter { $0.hasSuffix(".part") }
    }
}
