import CSandbox
import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Tests of which detector looks at what, as people see it.
struct SharedDetectionTests {
    @Test("The same bytes under another name share the result, say so, and are looked at again when asked")
    func shared() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = PaintedPicture(faces: 2, seed: 4)
        let file = OriginFile(try painted.jpeg(orientation: .needsClockwise))
        for name in ["a", "b"] { origin.serve("/\(name).jpg", file) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let urls = ["a", "b"].map { origin.url("/\($0).jpg") }
        #expect(try await installation.facefetch("add", "--wait", urls[0]).status == 0)
        #expect(try await installation.facefetch("add", "--wait", urls[1]).status == 0)

        let shown = try await installation.facefetch("show", "j2", "--json")
        let job = try #require(try installation.jobs(shown).first)
        #expect(job.detection?.faceCount == 2)
        #expect(job.detection?.sharedFrom == 1)
        #expect(job.detection?.width == painted.width && job.detection?.height == painted.height)
        #expect(job.detection?.orientation == 6 && job.detection?.format == "jpeg")
        let page = try await installation.facefetch("show", "j2").output
        #expect(page.contains("the same bytes as in job j1"))
        let words = "finished face detection in \"b.jpg\": 2 faces, the same bytes as j1"
        #expect(await installation.logs(words))
        let log = try installation.eventLog()
        #expect(log.last?.hasSuffix(words) == true)
        #expect(log.filter { $0.contains("started face detection") }.count == 1)

        let follower = try installation.follow()
        #expect(try await installation.facefetch("detect", "j2").status == 0)
        #expect(await follower.outputLine(containing: "started face detection in \"b.jpg\"") != nil)
        #expect(await follower.outputLine(containing: "finished face detection in \"b.jpg\": 2 faces") != nil)
        follower.signal(SIGKILL)
        let again = try await installation.facefetch("show", "j2", "--json")
        #expect(try installation.jobs(again).first?.detection?.sharedFrom == nil)
        #expect(await daemon.stop() == 0)
    }

    @Test("An engine that the settings give no file for is refused with what to do")
    func noModel() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let refused = try await installation.facefetch("detect", "--all", "--engine", "yunet")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("set detection.model"), "\(refused.errors)")
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "Detection can be done again by another engine, which the result names",
        .enabled(if: model != nil, "no model; set FACEFETCH_MODELS")
    )
    func otherEngine() async throws {
        let model = try #require(Self.model)
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DETECTION_MODEL": model])
        #expect(try await installation.facefetch("add", "--wait", origin.url("/a.jpg")).status == 0)
        let follower = try installation.follow()
        for _ in 1...2 { _ = await follower.outputLine(containing: "face detection in \"a.jpg\"") }
        #expect(try await installation.facefetch("detect", "j1", "--engine", "yunet").status == 0)
        #expect(await follower.outputLine(containing: "finished face detection in \"a.jpg\": 2") != nil)
        follower.signal(SIGKILL)
        let shown = try await installation.facefetch("show", "j1", "--json")
        let job = try #require(try installation.jobs(shown).first)
        #expect(job.detection?.engine == "yunet" && job.detection?.faceCount == 2)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A network that comes looks after a reload, and no more after it has gone; results stay as they were",
        .enabled(if: model != nil, "no model; set FACEFETCH_MODELS")
    )
    func installedModel() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg())
        for name in ["a", "b", "c"] { origin.serve("/\(name).jpg", file) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        func engine(_ name: String) async throws -> String? {
            let added = try await installation.facefetch(
                "add",
                "--wait",
                "--json",
                origin.url("/\(name).jpg")
            )
            return try installation.jobs(added).first?.detection?.engine.text
        }
        #expect(try await engine("a") == "haar")
        #expect(try await installation.facefetch("status").output.contains("facefetch model install"))

        let models = installation.directory.path("data/facefetch/models")
        let installed = try await installation.facefetch(
            "model",
            "install",
            "--file",
            try #require(Self.model),
            "--to",
            models
        )
        #expect(installed.status == 0, "\(installed.errors)")
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "yunet looks for faces from now on") != nil)
        #expect(try await installation.facefetch("status").output.contains("yunet, a neural network"))
        // The same bytes, which another engine has seen, are looked at by this one.
        #expect(try await engine("b") == "yunet")
        let first = try await installation.facefetch("show", "j1", "--json")
        #expect(try installation.jobs(first).first?.detection?.engine == "haar")

        try FileManager.default.removeItem(atPath: models)
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "haar looks for faces from now on") != nil)
        #expect(try await engine("c") == "haar")
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "Where the network goes while the daemon runs, haar looks instead, and says why, until a reload finds one",
        .enabled(if: model != nil, "no model; set FACEFETCH_MODELS"),
        arguments: [false, true]
    )
    func vanishedModel(isNamed: Bool) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        let installation = try Installation()
        let models = installation.directory.path("data/facefetch/models")
        try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
        let file = models + "/network.onnx"
        try FileManager.default.copyItem(atPath: try #require(Self.model), toPath: file)
        let environment = isNamed ? ["FACEFETCH_DETECTION_MODEL": file] : [:]
        let daemon = try await installation.startDaemon(environment: environment)
        #expect(try await installation.facefetch("status").output.contains("yunet, a neural network"))

        // No detector runs yet, so that the first picture starts one.
        try FileManager.default.removeItem(atPath: file)
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url("/a.jpg"))
        let detection = try installation.jobs(added).first?.detection
        #expect(detection?.engine == "haar" && detection?.faceCount == 2)
        let status = try await installation.facefetch("status").output
        #expect(status.contains("haar looks for faces, since \(file) can't be used"), "\(status)")

        try FileManager.default.copyItem(atPath: try #require(Self.model), toPath: file)
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "the settings have not changed") != nil)
        #expect(try await installation.facefetch("status").output.contains("yunet, a neural network"))
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "Where yunet alone is asked for, documents wait until its network is there again, whatever lay there meanwhile",
        .enabled(if: model != nil, "no model; set FACEFETCH_MODELS")
    )
    func awaitedModel() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 2, seed: 4).jpeg()))
        let installation = try Installation()
        let file = installation.directory.path("network.onnx")
        try FileManager.default.copyItem(atPath: try #require(Self.model), toPath: file)
        let environment = ["FACEFETCH_DETECTION_MODEL": file, "FACEFETCH_DETECTION_ENGINE": "yunet"]
        let daemon = try await installation.startDaemon(environment: environment)

        try Data("no network".utf8).write(to: URL(filePath: file))
        #expect(try await installation.facefetch("add", origin.url("/a.jpg")).status == 0)
        #expect(await daemon.errorLine(containing: "documents wait to be looked at") != nil)
        #expect(try await installation.facefetch("status").output.contains("documents wait to be looked at"))

        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: try #require(Self.model), toPath: file)
        #expect(try await installation.facefetch("wait", "j1").status == 0)
        let shown = try await installation.facefetch("show", "j1", "--json")
        let detection = try installation.jobs(shown).first?.detection
        #expect(detection?.engine == "yunet" && detection?.faceCount == 2)
        #expect(try await !installation.facefetch("status").output.contains("documents wait to be looked"))
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A detector that can't work ends the start with 78 and one sentence, not with a loop of crashes",
        arguments: [
            (["FACEFETCH_DETECTION_CASCADE": "/none.xml"], "/none.xml can't be read"),
            (
                ["FACEFETCH_DETECTION_MODEL": "/etc/hostname"],
                "face detection can't start: the model /etc/hostname has SHA-256"
            ),
            (
                ["FACEFETCH_DETECTION_CASCADE": "/etc/hostname"],
                "face detection can't start: the cascade /etc/hostname can't be loaded"
            ),
            (
                ["FACEFETCH_DETECTION_MODEL": "/none.onnx", "FACEFETCH_DETECTION_ENGINE": "yunet"],
                "/none.onnx can't be read"
            ),
        ]
    )
    func badEngine(environment: [String: String], words: String) async throws {
        let installation = try Installation()
        let result = try await Program.run("facefetchd", installation.flags, environment: environment)
        #expect(result.status == 78, "\(result.errors)")
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(!result.errors.contains("Usage"))
    }

    @Test(
        "A sandbox that is required and there lets the daemon start, and its detectors work",
        .enabled(if: hasLandlock, "this kernel has no Landlock")
    )
    func requiredSandbox() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 1, seed: 4).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_DETECTION_SANDBOX": "required"]
        )
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url("/a.jpg"))
        #expect(try installation.jobs(added).first?.detection?.faceCount == 1)
        #expect(await daemon.stop() == 0)
    }

    private static let hasLandlock = CSandbox_landlock_version() > 0

    /// The network for yunet, no part of the project.
    private static let model: String? = {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let folder =
            ProcessInfo.processInfo.environment["FACEFETCH_MODELS"]
            ?? package.appending(path: "../shared/models").standardizedFileURL.path
        let path = folder + "/face_detection_yunet_2023mar.onnx"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()
}
