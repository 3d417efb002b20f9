import Foundation
import TestSupport
import Testing

/// Bad input and bad circumstances: a clear sentence, the right status, nothing lost.
struct RefusalTests {
    @Test("One URL that can't be fetched refuses the whole batch, and is named")
    func badItem() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        for bad in ["ftp://127.0.0.1/a.jpg", "not a url", "http://"] {
            let added = try await installation.facefetch("add", "http://127.0.0.1:9/good.jpg", bad)
            #expect(added.status == 2)
            #expect(added.errors.contains(bad), "\(added.errors)")
        }
        let listed = try await installation.facefetch("list", "--json")
        #expect(listed.output.isEmpty)
        #expect(await daemon.stop() == 0)
    }

    @Test("A daemon that isn't running is said so, with how to start it, and status 3")
    func noDaemon() async throws {
        let installation = try Installation()
        let result = try await installation.facefetch("status")
        #expect(result.status == 3)
        #expect(result.errors.contains("facefetchd"))
    }

    @Test("A second daemon on the same state directory ends with 75 and says why; the first goes on")
    func inUse() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let second = try await Program.run("facefetchd", installation.flags)
        #expect(second.status == 75)
        #expect(second.errors.contains("another facefetchd"))
        #expect(try await installation.facefetch("status").status == 0)
        #expect(await daemon.stop() == 0)
    }

    @Test("A path that can't be written ends the start with 73 and names the path")
    func cannotWrite() async throws {
        let installation = try Installation()
        try installation.directory.write([], to: "file")
        let blocked = installation.directory.path("file/inside")
        for flag in ["--state-dir", "--documents-dir", "--socket", "--event-log"] {
            let result = try await Program.run("facefetchd", installation.flags + [flag, blocked])
            #expect(result.status == 73, "\(flag): \(result.errors)")
            #expect(result.errors.contains(blocked), "\(flag): \(result.errors)")
        }
    }

    @Test("Bad settings end the start with 78, bad usage with 2")
    func badSettings() async throws {
        let installation = try Installation()
        let file = try installation.directory.write(
            Array("transfer:\n  concurency: 4\n".utf8),
            to: "bad.yaml"
        )
        let settings = try await Program.run("facefetchd", installation.flags + ["--config", file])
        #expect(settings.status == 78)
        #expect(settings.errors.contains("concurrency"), "\(settings.errors)")
        let checked = try await Program.run("facefetchd", ["check-config", "--config", file])
        #expect(checked.status == 78)
        let usage = try await Program.run("facefetchd", ["--state-dri", "x"])
        #expect(usage.status == 2)
        #expect(usage.errors.contains("--state-dir"))
    }

    @Test("The control socket is for its user and group alone")
    func socketMode() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let mode = try FileManager.default.attributesOfItem(atPath: installation.socket)[.posixPermissions]
        #expect(mode as? Int == 0o660)
        #expect(await daemon.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: installation.socket))
    }
}
