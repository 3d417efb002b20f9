import ControlAPI
import Foundation
import TestSupport
import Testing

/// Broken pictures, through the whole program: the daemon lives, and every job ends.
///
/// `make fuzz` runs it at length; PICTURES and SEED set how long, and which run.
struct FuzzTests {
    /// Seconds that a picture may take.
    private static let timeout = 10.0
    /// Detectors at once.
    private static let workers = 2
    /// The memory that a detector may hold of the machine's: a whole picture of 1 GiB, and itself.
    private static let memoryLimit = 1536 << 10

    @Test("Whatever a picture is, it costs one result and at the most a detector, and the daemon goes on")
    func survivesPictures() async throws {
        let count = Self.setting("PICTURES") ?? 90
        let seed = Self.setting("SEED").map { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
        print("fuzz: PICTURES=\(count) SEED=\(seed)")
        let pictures = try MutatedPictures(seed: seed)
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serveOthers { request in
            let number = request.path.dropFirst().prefix { $0.isNumber }
            return OriginFile(pictures.bytes(Int(number) ?? 0)).answer(to: request)
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_DETECTION_TIMEOUT": "\(Int(Self.timeout)) s",
            "FACEFETCH_DETECTION_WORKERS": "\(Self.workers)",
        ])
        let watch = DetectorWatch(daemon: daemon.id)
        let list = try installation.directory.write(
            Array((0..<count).map { origin.url("/" + pictures.name($0)) }.joined(separator: "\n").utf8),
            to: "list.txt"
        )
        let added = try await installation.facefetch("add", "--wait", "--json", "--from", list)
        let jobs = try installation.jobs(added)
        #expect(jobs.count == count)
        for job in jobs { check(job) }
        #expect(try await installation.facefetch("status").status == 0)
        #expect(await daemon.stop() == 0)

        let sight = watch.end()
        #expect(try await DetectorWatch.survivors(of: sight) == [])
        // One that has been killed may still be there when the next has started.
        #expect(sight.most <= 2 * Self.workers)
        #expect(sight.memory <= Self.memoryLimit, "\(sight.memory) KiB")
        print(
            "fuzz: \(Self.summary(jobs)); \(sight.processes.count) detectors, \(sight.memory / 1024) MiB at the most"
        )
    }

    private func check(_ job: JobJSON) {
        guard let detection = job.detection, job.state == "done" else {
            Issue.record("\(job.name) is \(job.state): \(job.error?.message ?? "no reason")")
            return
        }
        #expect(["counted", "unreadable", "crashed", "timed_out"].contains(detection.outcome))
        #expect(detection.seconds <= Self.timeout + 2, "\(job.name) took \(detection.seconds) s")
        // By name, so that it can be looked at.
        if ["crashed", "timed_out"].contains(detection.outcome) {
            print("fuzz: \(job.name) \(detection.outcome)")
        }
    }

    /// Returns the number of pictures by ending, in words.
    private static func summary(_ jobs: [JobJSON]) -> String {
        Dictionary(grouping: jobs) { $0.detection?.outcome ?? "none" }
            .map { "\($0.value.count) \($0.key)" }.sorted().joined(separator: ", ")
    }

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
