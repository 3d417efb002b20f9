import Foundation
import TestSupport
import Testing

@Suite("The event log of the real daemon")
struct LogTests {
    @Test("Rotation loses no line and repeats none, also with a settings file that is bad by then")
    func rotation() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let count = 200
        let gates = (1...4).map { _ in OriginGate() }
        // After each rotation's file there are twenty more, and then a gate: lines arrive all the while,
        // and there are some left for each piece.
        origin.serveOthers { request in
            let number = Int(request.path.dropFirst().prefix { $0 != "." }) ?? 0
            let answer = OriginFile(seed: UInt64(number), count: 3000).answer(to: request)
            let gate = (number - 21) / 30 - 1
            return gates.indices.contains(gate) ? answer.held(by: gates[gate]) : answer
        }
        let installation = try Installation()
        let config = try installation.directory.write(
            Array("transfer:\n  concurrency: 2\n".utf8),
            to: "c.yaml"
        )
        let daemon = try await installation.startDaemon(flags: ["--config", config])
        let list = (1...count).map { origin.url("/\($0).bin") }.joined(separator: "\n")
        let path = try installation.directory.write(Array(list.utf8), to: "list.txt")
        let follower = try installation.follow()
        _ = try await installation.facefetch("add", "--from", path)
        for rotation in 1...4 {
            #expect(await follower.outputLine(containing: " b1 j\(rotation * 30) ") != nil)
            if rotation == 3 { try installation.directory.write(Array("transfer: [".utf8), to: "c.yaml") }
            try FileManager.default.moveItem(
                atPath: installation.directory.path("events.log"),
                toPath: installation.directory.path("events.log.\(rotation)")
            )
            daemon.signal(SIGHUP)
            #expect(await installation.directory.appears("events.log"))
            gates[rotation - 1].open()
        }
        let waited = try await installation.facefetch("add", "--wait", origin.url("/last.bin"))
        #expect(waited.status == 0)
        while try await installation.facefetch("list", "--state", "done", "--json").lines.count <= count {}
        follower.signal(SIGKILL)
        #expect(await daemon.stop() == 0)

        let pieces = try ((1...4).map { "events.log.\($0)" } + ["events.log"]).map { name in
            String(decoding: try installation.directory.read(name), as: UTF8.self)
        }
        #expect(pieces.allSatisfy { !$0.isEmpty && $0.hasSuffix("\n") })
        let lines = pieces.joined().split(separator: "\n").map(String.init)
        let again = try await installation.startDaemon(flags: [])
        let told = try await installation.facefetch("log").lines
        #expect(lines == told)
        #expect(Set(lines).count == lines.count && lines.count == (count + 1) * 15)
        #expect(await again.stop() == 0)
    }

    @Test("A followed log has every line once, in order, across kills and restarts")
    func followed() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 3000)
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        var daemon = try await installation.startDaemon()
        let output = installation.directory.path("followed.txt")
        let follower = try Program(
            "/bin/sh",
            ["-c", "exec \"$0\" log -f -n 1000000 >\"$1\"", Program.directory + "/facefetch", output],
            environment: ["FACEFETCH_SOCKET": installation.socket]
        )
        for round in 1...3 {
            let added = try await installation.facefetch("add", "--wait", origin.url("/\(round).bin"))
            #expect(added.status == 0)
            _ = try await installation.facefetch(
                "add",
                origin.url("/\(round)-a.bin"),
                origin.url("/\(round)-b.bin")
            )
            daemon.signal(SIGKILL)
            _ = await daemon.status
            daemon = try await installation.startDaemon()
        }
        let last = try await installation.facefetch("add", "--wait", origin.url("/last.bin"))
        #expect(last.status == 0)
        while try await installation.facefetch("list", "--state", "done", "--json").lines.count < 10 {}
        let kept = try await installation.facefetch("log").output
        while try String(decoding: installation.directory.read("followed.txt"), as: UTF8.self).utf8.count
            < kept.utf8.count
        {}
        follower.signal(SIGKILL)
        #expect(try String(decoding: installation.directory.read("followed.txt"), as: UTF8.self) == kept)
        #expect(await daemon.stop() == 0)
    }

    @Test("The log of a batch begins with the seconds, and tells a file from its start to its faces")
    func batch() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 100_000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let url = origin.url("/a.jpg")
        _ = try await installation.facefetch("add", "--wait", url)
        let log = try await installation.facefetch("log", "--batch", "b1")
        var expected = ["started download of \(url)"]
        expected += (1...10).map { "downloading \"a.jpg\", \($0 * 10)% done" }
        expected += [
            "finished download of \(url) to \(installation.partials)/1.part",
            "stored \"a.jpg\" at \(installation.documents)/a.jpg", "started face detection in \"a.jpg\"",
            "failed face detection in \"a.jpg\": unreadable, is not a JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000, BMP or RAW picture",
        ]
        #expect(log.lines.map { String($0.drop { $0 != " " }.dropFirst()) } == expected)
        let elapsed = try #require(try? Regex("^[0-9]+\\.[0-9]{3} "))
        #expect(log.lines.allSatisfy { $0.firstMatch(of: elapsed) != nil })
        #expect(await daemon.stop() == 0)
    }

    @Test("In the journal every line has its severity: what went wrong is a warning")
    func severity() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.bin", OriginFile(seed: 1, count: 1000))
        let installation = try Installation()
        // As systemd does: the variable names the device and inode of standard error (systemd.exec(5)).
        let script = "JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2) exec \"$0\" \"$@\""
        let program = Program.directory + "/facefetchd"
        let daemon = try Program("/bin/sh", ["-c", script, program] + installation.flags)
        #expect(await daemon.errorLine(containing: "ready:")?.hasPrefix("<5>ready:") == true)
        let added = try await installation.facefetch(
            "add",
            "--wait",
            origin.url("/a.bin"),
            origin.url("/gone")
        )
        #expect(added.status == 1)
        #expect(await daemon.stop() == 0)
        let lines = await daemon.errorOutput().split(separator: "\n")
        for (words, severity) in [
            ("stored \"a.bin\"", "<6>"), ("failed download of", "<4>"), ("failed face detection", "<4>"),
            ("stopped", "<5>"),
        ] {
            let line = try #require(lines.first { $0.contains(words) }, "\(words)")
            #expect(line.hasPrefix(severity), "\(line)")
        }
    }

    @Test("Monstrous names and URLs stay one line of at most 4 KB each, in the file and through the client")
    func monsters() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serveOthers { OriginFile(seed: UInt64($0.target.utf8.count), count: 1000).whole }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let long = origin.url("/" + String(repeating: "a", count: 7900))
        let added = try await installation.facefetch(
            "add",
            "--wait",
            long,
            origin.url("/%0A%0D%1B[31m%E2%80%AE.jpg"),
            origin.url("/?" + String(repeating: "%22", count: 2000))
        )
        #expect(added.status == 0, "\(added.errors)")
        let told = try await installation.facefetch("log").lines
        #expect(await daemon.stop() == 0)
        let lines = try installation.eventLog()
        #expect(lines == told && lines.count == 3 * 15)
        #expect(lines.allSatisfy { $0.utf8.count < 4096 })
        #expect(lines.contains { $0.hasSuffix("… to \(installation.partials)/1.part") })
        #expect(
            lines.allSatisfy { line in
                line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            }
        )
    }
}
