import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Advice in refusals, each followed to its end.
@Suite(.timeLimit(.minutes(2)))
struct AdviceTests {
    private let origin: Origin
    private let installation: Installation

    init() throws {
        origin = try Origin.start()
        installation = try Installation()
    }

    /// Expects that something is refused with this advice.
    private func refused(_ command: String, _ job: String, _ advice: String) async throws {
        let refused = try await installation.facefetch(command, job)
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.errors.contains(advice), "\(command) \(job): \(refused.errors)")
    }

    /// Follows advice: it is done, and says so.
    private func followed(_ command: String, _ job: String, _ words: String) async throws {
        let done = try await installation.facefetch(command, job)
        #expect(done.status == 0 && done.output.hasPrefix("\(job) \(words): "), "\(command): \(done)")
    }

    private func serve(_ path: String, faces: Int) throws {
        origin.serve(path, OriginFile(try PaintedPicture(faces: faces, seed: UInt64(faces + 1)).jpeg()))
    }

    @Test("What a refusal advises works: for jobs that are done, that failed, and whose document is gone")
    func ended() async throws {
        defer { origin.stop() }
        try serve("/a.jpg", faces: 1)
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DISK_RESERVE": "0"])
        let urls = [origin.url("/a.jpg"), origin.url("/b.jpg")]
        #expect(try await installation.facefetch("add", "--wait", urls[0], urls[1]).status == 1)
        for command in ["retry", "resume"] {
            try await refused(command, "j1", "detect looks for faces again")
            try await followed("detect", "j1", "is looked at again")
            #expect(try await installation.facefetch("wait", "j1").status == 0)
        }
        try await refused("resume", "j2", "retry starts it again")
        try serve("/b.jpg", faces: 2)
        try await followed("retry", "j2", "is tried again")
        #expect(try await installation.facefetch("wait", "j2").status == 0)
        let removal = try await Program.run(
            "/usr/bin/curl",
            [
                "-sf", "-X", "DELETE", "--unix-socket", installation.socket,
                "http://localhost/v1/jobs/1/document",
            ]
        )
        #expect(removal.status == 0, "\(removal)")
        try await refused("detect", "j1", "retry fetches it again")
        try await followed("retry", "j1", "is tried again")
        #expect(try await installation.facefetch("wait", "j1").status == 0)
        let job = try installation.jobs(try await installation.facefetch("show", "j1", "--json")).first
        #expect(job?.path.map { FileManager.default.fileExists(atPath: $0) } == true, "\(job)")
        #expect(await daemon.stop() == 0)
    }

    @Test("What a refusal advises works: for jobs whose document waits to be looked at")
    func stored() async throws {
        defer { origin.stop() }
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DISK_RESERVE": "0"])
        #expect(try await installation.facefetch("detection", "hold").status == 0)
        for (job, command, advice, follow, words) in [
            ("j1", "cancel", "retry it first, which looks for faces", "retry", "is tried again"),
            ("j2", "pause", "resume it first", "resume", "goes on"),
        ] {
            try serve("/\(job).jpg", faces: 1)
            #expect(try await installation.facefetch("add", origin.url("/\(job).jpg")).status == 0)
            #expect(await installation.logs("deferred face detection in \"\(job).jpg\""))
            #expect(try await installation.facefetch(command, job).status == 0)
            try await refused("detect", job, advice)
            try await followed(follow, job, words)
        }
        let early = try await installation.facefetch("forget", "j2")
        #expect(early.status == 1 && early.errors.contains("cancel it first"))
        #expect(try await installation.facefetch("cancel", "j2").status == 0)
        #expect(try await installation.facefetch("forget", "j2").status == 0)
        #expect(try await installation.facefetch("detection", "release").status == 0)
        #expect(try await installation.facefetch("wait", "j1").status == 0)
        let found = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(found.map(\.detection?.faceCount) == [1])
        #expect(await daemon.stop() == 0)
    }
}
