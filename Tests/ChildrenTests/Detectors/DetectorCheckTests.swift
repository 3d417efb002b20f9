import DetectorProtocol
import Foundation
import JobModel
import Logging
import PaintedPictures
import Testing

@testable import Children

/// Tests of what a daemon learns of its detectors before it relies on them.
@Suite(.timeLimit(.minutes(1))) struct DetectorCheckTests {
    private static let model: String? = {
        let folder = ProcessInfo.processInfo.environment["FACEFETCH_MODELS"] ?? "../shared/models"
        let path = folder + "/face_detection_yunet_2023mar.onnx"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    private func pool(executable: String, _ arguments: [String] = []) -> DetectorPool {
        var logger = Logger(label: "pool")
        logger.logLevel = .critical
        return DetectorPool(
            configuration: DetectorPoolConfiguration(
                executable: executable,
                arguments: ["--serve"] + arguments,
                workers: 1
            ),
            logger: logger
        ) { _ in }
    }

    private func failure(_ pool: DetectorPool) async -> String? {
        do throws(DetectorCheckFailure) {
            try await pool.check()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A detector that works says who looks, and the pool knows it before any picture")
    func works() async throws {
        let pool = pool(executable: try ScriptedDetector.realDetector())
        #expect(pool.identity == nil)
        #expect(await failure(pool) == nil)
        #expect(pool.identity?.engine == "haar")
        #expect(pool.identity?.parameters.contains("frontalface_alt") == true)
    }

    @Test(
        "What a detector can't work with is said in its own words, without its usage",
        arguments: [
            (["--cascade", "/none.xml"], "the cascade /none.xml can't be loaded"),
            (["--model", "/none.onnx"], "the model /none.onnx can't be read"),
            (["--engine", "yunet", "--model", "/etc/hostname"], "the model /etc/hostname has SHA-256"),
            (["--engine", "yunet"], "facefetch model install"),
        ]
    )
    func unusable(_ arguments: [String], _ reason: String) async throws {
        let text = await failure(pool(executable: try ScriptedDetector.realDetector(), arguments))
        let said = try #require(text)
        #expect(said.hasPrefix("face detection can't start: "))
        #expect(said.contains(reason), "\(said)")
        #expect(!said.contains("\n") && !said.contains("Usage"))
    }

    @Test("A detector of another version, one that says nothing, and none at all are refused")
    func strangers() async throws {
        let silent = try ScriptedDetector("exit 0")
        #expect(await failure(pool(executable: silent.executable))?.contains("gave no reason") == true)
        let older = try ScriptedDetector("cat $here/older")
        var greeting = DetectorGreeting(engines: [.init(name: "haar", parameters: "")])
        greeting.version = 1
        try older.write("older", try DetectorFrame.encode(greeting))
        #expect(await failure(pool(executable: older.executable))?.contains("speaks version 1") == true)
        #expect(await failure(pool(executable: "/none"))?.contains("/none") == true)
    }

    @Test("A request for an engine that no detector has is skipped, and costs no detector")
    func noSuchEngine() async throws {
        let detector = try ScriptedDetector("be_honest")
        let picture = try detector.write("two.jpg", PaintedPicture(faces: 2).jpeg())
        let running = RunningPool(detector)
        running.submit(1, picture)
        #expect(await running.results(1)[1]?.outcome == .counted)
        running.submit(2, picture, engine: .yunet)
        let skipped = await running.results(1)[2]
        #expect(skipped?.outcome == .skipped && skipped?.engine == "yunet")
        #expect(detector.starts == 1)
        await running.stop()
    }

    @Test(
        "A request can name another engine than that of the settings",
        .enabled(if: model != nil, "no model; set FACEFETCH_MODELS")
    )
    func engines() async throws {
        let model = try #require(Self.model)
        let detector = try ScriptedDetector("be_honest --engine haar --model '\(model)'")
        let picture = try detector.write("two.jpg", PaintedPicture(faces: 2).jpeg())
        let running = RunningPool(detector)
        running.submit(1, picture)
        running.submit(2, picture, engine: .yunet)
        running.submit(3, picture, engine: .haar)
        let results = await running.results(3)
        #expect(results.values.allSatisfy { $0.faces.count == 2 })
        #expect([1, 2, 3].map { results[$0]?.engine } == ["haar", "yunet", "haar"])
        #expect(running.pool.identity?.engine == "haar")
        await running.stop()
    }

    /// A detector on a kernel that answers the first call of Landlock with an error.
    private func detector(without error: Int32) throws -> ScriptedDetector {
        let (kernel, real) = try (ScriptedDetector.olderKernel(), ScriptedDetector.realDetector())
        return try ScriptedDetector(
            "exec '\(kernel)' landlock_create_ruleset \(error) '\(real)' --serve --documents $here \"$@\""
        )
    }

    @Test(
        "That a kernel has no Landlock is said once, and pictures are looked at",
        arguments: [ENOSYS, EOPNOTSUPP]
    )
    func withoutLandlock(error: Int32) async throws {
        let detector = try detector(without: error)
        let picture = try detector.write("two.jpg", PaintedPicture(faces: 2).jpeg())
        let log = PoolLog()
        let running = RunningPool(detector, recycleAfter: 1, logger: log.logger)
        for job in 1...3 { running.submit(Int64(job), picture) }
        let results = await running.results(3)
        #expect(results.values.allSatisfy { $0.faces.count == 2 })
        #expect(detector.starts == 3)
        await running.stop()
        log.end()
        var warnings: [String] = []
        for await line in log.lines where line.level >= .warning { warnings.append(line.text) }
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("face detectors: this kernel has no Landlock") == true)
    }

    @Test(
        "Where Landlock is required and missing, or doesn't work, detectors can't be used, and it is said why",
        arguments: [
            (ENOSYS, ["--require-landlock"], "this kernel has no Landlock"),
            (EOPNOTSUPP, ["--require-landlock"], "this kernel has no Landlock"),
            (EPERM, [], "the sandbox can't be set up: Landlock: Operation not permitted"),
        ]
    )
    func unusableLandlock(error: Int32, flags: [String], reason: String) async throws {
        let detector = try detector(without: error)
        let said = try #require(await failure(pool(executable: detector.executable, flags)))
        #expect(said.contains(reason))
    }
}
