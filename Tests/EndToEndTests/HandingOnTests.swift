import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Tests of what the daemon knows, as it reaches other programs.
struct HandingOnTests {
    @Test("A picture's faces reach a table, a sidecar, a program and a receiver")
    func reaches() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = PaintedPicture(faces: 2, seed: 4)
        origin.serve("/a.jpg", OriginFile(try painted.jpeg(orientation: .needsClockwise)))
        let installation = try Installation()
        let directory = installation.directory
        let log = directory.path("log")
        let receiver = try ChildProcess(
            Repository.python ?? "python3",
            [Repository.path("scripts/readers/receiver.py"), log, "500", "200"]
        )
        defer { receiver.stop() }
        #expect(await directory.appears("log.port"))
        let port = String(decoding: try directory.read("log.port"), as: UTF8.self)
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_WEBHOOK_URL": "http://127.0.0.1:\(port)/hook"
        ])
        let follower = try Program(
            "facefetch",
            [
                "on", "done,failed", "--name", "test", "--", "/bin/echo", "{job}", "{ending}", "{faces}",
                "{error}",
            ],
            environment: ["FACEFETCH_SOCKET": installation.socket, "STATE_DIRECTORY": directory.path("on")]
        )
        #expect(await follower.errorLine(containing: "Following done, failed from number 0") != nil)
        #expect(await directory.appears("state/webhook"))
        #expect(try await installation.facefetch("add", "--wait", origin.url("/a.jpg")).status == 0)
        #expect(try await installation.facefetch("add", "--wait", origin.url("/none.jpg")).status == 1)
        #expect(await follower.outputLine(containing: "1 done 2") != nil)
        #expect(await follower.outputLine(containing: "2 failed  http_404") != nil)
        #expect(await follower.stop() == -SIGTERM)

        let table = try await installation.facefetch("export", "--format", "csv", "--out", "-")
        #expect(table.output.contains("1,1,done,counted,2,a.jpg,") && table.output.contains(",http_404,"))
        #expect(try await installation.facefetch("export", "--format", "xmp").status == 0)
        let sidecar = String(decoding: try installation.document("a.jpg.xmp"), as: UTF8.self)
        #expect(sidecar.contains("stDim:w=\"\(painted.height)\" stDim:h=\"\(painted.width)\""))
        #expect(sidecar.components(separatedBy: "mwg-rs:Type=\"Face\"").count == 3)

        let state = directory.path("state/webhook")
        // The receiver has taken both, the first at its second try.
        #expect(
            await FolderWatch.until(in: directory.path("state")) {
                let kept = (try? String(contentsOfFile: state, encoding: .utf8)) ?? ""
                return kept.contains("\"cursor\":3") && !kept.contains("\"id\"")
            }
        )
        let requests = String(decoding: try directory.read("log"), as: UTF8.self)
        #expect(requests.contains("facefetch.job.done") && requests.contains("facefetch.job.failed"))
        let status = try await installation.facefetch("status")
        #expect(status.output.contains("Webhook     delivering"))
        #expect(await daemon.stop() == 0)
    }

    @Test("A file of secrets that others can read, or that has none, ends the daemon with 78")
    func secretFile() async throws {
        let installation = try Installation()
        let file = try installation.directory.write(
            Array("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8),
            to: "secret"
        )
        chmod(file, 0o644)
        let environment = ["FACEFETCH_WEBHOOK_URL": "https://h/", "FACEFETCH_WEBHOOK_SECRET_FILE": file]
        for arguments in [[], ["check-config"]] {
            let flags = arguments + installation.flags
            let open = try await Program.run("facefetchd", flags, environment: environment)
            #expect(open.status == 78 && open.errors.contains("can be read or changed by others"))
        }
        try installation.directory.write(Array("secret\n".utf8), to: "secret")
        chmod(file, 0o600)
        let wrong = try await Program.run("facefetchd", installation.flags, environment: environment)
        #expect(wrong.status == 78 && wrong.errors.contains("a secret is whsec_"))
    }
}
