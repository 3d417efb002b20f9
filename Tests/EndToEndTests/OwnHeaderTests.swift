import Foundation
import TestSupport
import Testing

/// A job's own header fields, with the real daemon and client: sent where they belong, shown nowhere.
struct OwnHeaderTests {
    @Test("They survive a kill, go to the URL's own server only, and are seen by nobody else")
    func secret() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let other = try Origin.start(address: "127.0.0.2")
        defer { other.stop() }
        let target = other.url("/target.jpg")
        let gate = OriginGate()
        origin.serve("/a.jpg") { request in
            let answer = OriginAnswer.redirect(target)
            return request.index == 0 ? answer.held(by: gate) : answer
        }
        other.serve("/target.jpg", OriginFile(seed: 5, count: 4000))
        let installation = try Installation()
        let secrets = try installation.directory.write(
            Array("Authorization: Bearer s3cret\n".utf8),
            to: "secrets"
        )
        let killed = try await installation.startDaemon()
        let added = try await installation.facefetch(
            "add",
            "--header",
            "@" + secrets,
            "--header",
            "X-Plain: s3cret too",
            "--rate-limit",
            "1M",
            origin.url("/a.jpg"),
            origin.url("/missing.jpg")
        )
        #expect(added.status == 0, "\(added.errors)")
        let events = try installation.follow()
        #expect(await events.outputLine(containing: "failed download") != nil)
        events.signal(SIGKILL)
        killed.signal(SIGKILL)
        #expect(await killed.status == -SIGKILL)
        gate.open()

        let daemon = try await installation.startDaemon()
        let done = try installation.follow()
        #expect(await done.outputLine(containing: "face detection in \"a.jpg\": ") != nil)
        done.signal(SIGKILL)
        var shown = ""
        for arguments in [["show", "1"], ["show", "2", "--json"], ["list", "--json"], ["log", "--json"]] {
            let result = try await Program.run(
                "facefetch",
                arguments,
                environment: ["FACEFETCH_SOCKET": installation.socket]
            )
            #expect(result.status == 0, "\(result.errors)")
            shown += result.output
        }
        #expect(shown.contains("at most 1.0 MB/s"))
        let metrics = try await Program.run(
            "/usr/bin/curl",
            ["--silent", "--unix-socket", installation.socket, "http://localhost/v1/metrics"]
        )
        shown += metrics.output
        daemon.signal(SIGTERM)
        shown += await daemon.errorOutput()
        #expect(await daemon.status == 0)
        shown += try installation.eventLog().joined(separator: "\n")
        #expect(shown.contains("failed download"))
        #expect(!shown.contains("s3cret") && !shown.contains("X-Plain"))

        let requests = origin.requests("/a.jpg")
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.header("Authorization") == "Bearer s3cret")
            #expect(request.header("X-Plain") == "s3cret too")
        }
        let redirected = try #require(other.requests("/target.jpg").first)
        #expect(redirected.header("Authorization") == nil && redirected.header("X-Plain") == nil)
    }

    @Test("One that can't be sent refuses the batch, with the URL and the name")
    func refused() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let added = try await installation.facefetch("add", "--header", "Range: bytes=0-", "http://h/a.jpg")
        #expect(added.status == 2)
        #expect(added.errors.contains("http://h/a.jpg") && added.errors.contains("Range"))
        #expect(await daemon.stop() == 0)
    }
}
