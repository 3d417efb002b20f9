import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// A detector that a picture has taken over, beside the real daemon.
struct EnemyTests {
    private func lines(_ path: String) -> Int {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count
    }

    private func start(_ programs: String, _ installation: Installation) async throws -> Program {
        let daemon = try Program(programs + "/facefetchd", installation.flags)
        try #require(await daemon.errorLine(containing: "ready:") != nil)
        return daemon
    }

    @Test(
        "A daemon outlives a detector that lies, floods and shouts, says so in plain text, and starts again",
        arguments: [
            #"frame "{$answer,\"faces\":[],\"width\":1e300,\"height\":1,\"orientation\":1,\"format\":\"jpeg\",\"seconds\":1e300}""#,
            #"frame "{$answer,\"faces\":[],\"width\":1,\"height\":1,\"orientation\":1,\"format\":\"jpeg\",\"seconds\":NaN}""#,
            #"printf '\033[2J\a\0' >&2; yes | head -c 200000 | tr -d '\n' >&2; exec cat /dev/zero"#,
        ]
    )
    func lies(_ script: String) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        let installation = try Installation()
        let programs = try ScriptedPrograms.make(script + "\nexec sleep 1000\n", in: installation.directory)
        let daemon = try await start(programs, installation)
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url("/a.jpg"))
        #expect(try installation.jobs(added).first?.detection?.outcome == "crashed")
        #expect(lines(programs + "/looks") == 2)
        #expect(await daemon.stop() == 0)
        let errors = await daemon.errorOutput()
        #expect(errors.contains("misbehaved"))
        let isPlain = errors.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        #expect(isPlain)
        #expect(errors.split(separator: "\n").allSatisfy { $0.utf8.count < 4200 })

        let again = try await start(programs, installation)
        let listed = try await installation.facefetch("list", "--json")
        #expect(try installation.jobs(listed).first?.detection?.outcome == "crashed")
        #expect(lines(programs + "/looks") == 2)
        #expect(await again.stop() == 0)
    }

    @Test("A daemon outlives a page reader whose numbers can't be, says so, and starts again")
    func lyingReader() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/list", OriginFile(Array("[]".utf8)))
        let installation = try Installation()
        let lie = #"{"listed":9223372036854775807,"bad":9223372036854775807,"badItems":[],"children":[]}"#
        let programs = try ScriptedPrograms.make(
            lister: #"frame I '[{"url":"file:///a"}]'; frame E '\#(lie)'"#,
            in: installation.directory
        )
        let recipe = installation.directory.path("list.yaml")
        try Data("name: list\nurl: \(origin.url("/list"))\nitems: .[]\njob: {url: .}\n".utf8)
            .write(to: URL(filePath: recipe))
        // The recipe itself is read by an honest one.
        let honest = try await installation.startDaemon()
        let added = try await installation.facefetch("source", "add", recipe)
        #expect(added.status == 0, "\(added.errors)")
        #expect(try await installation.source { $0.lastReadAt != nil } != nil)
        #expect(await honest.stop() == 0)
        origin.serve("/list", OriginFile(Array("[ ]".utf8)))
        let daemon = try await start(programs, installation)
        #expect(try await installation.facefetch("source", "poll", "list").status == 0)
        #expect(await daemon.errorLine(containing: "misbehaved") != nil)
        #expect(await daemon.stop() == 0)
        // The walk that was cut off goes on with the same page.
        let again = try await start(programs, installation)
        #expect(try await installation.facefetch("source", "poll", "list").status == 0)
        #expect(try await installation.source { $0.lastError?.code == "reader_crashed" } != nil)
        #expect(await again.stop() == 0)
    }

    @Test("A picture that ends the daemon itself is looked at four times, and never again by itself")
    func endsDaemon() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        let installation = try Installation()
        let programs = try ScriptedPrograms.make("kill -KILL $PPID\n", in: installation.directory)
        let daemon = try await start(programs, installation)
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await daemon.status == -SIGKILL)
        for _ in 2...4 {
            // It may be ended before it has said that it is ready.
            let next = try Program(programs + "/facefetchd", installation.flags)
            #expect(await next.status == -SIGKILL)
        }
        let last = try await start(programs, installation)
        let follower = try installation.follow()
        #expect(await follower.outputLine(containing: "failed face detection in \"a.jpg\": crashed") != nil)
        follower.signal(SIGKILL)
        #expect(lines(programs + "/looks") == 4)
        #expect(await last.stop() == 0)
    }
}
