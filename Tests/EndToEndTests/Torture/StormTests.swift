import ControlAPI
import Foundation
import TestSupport
import Testing

extension Alone {
    /// `make torture STORM=1` runs it for ten minutes; STORM_SECONDS and SEED set how long, and which run.
    @Suite(.serialized) struct StormTests {}
}

extension Alone.StormTests {
    @Test(
        "Whatever is steered when, beside hosts that misbehave, every document is its own file's",
        .enabled(if: TortureDoor.canBeShared, "nginx and openssl have to be installed")
    )
    func storm() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
        let seconds = environment["STORM_SECONDS"].flatMap { Int($0) } ?? 5
        print("storm: STORM_SECONDS=\(seconds) SEED=\(seed)")
        let storm = try Storm(seed: seed)
        defer { storm.close() }
        try await storm.rage(for: .seconds(seconds))
        let result = try await storm.calm()
        print("storm: \(result)")
    }
}

/// Steering at random, of a daemon that fetches from an origin over HTTP/1.1 and, through an nginx, over HTTP/2.
final class Storm {
    private let seed: UInt64
    private var generator: SeededGenerator
    private let installation: Installation
    private let origin: Origin
    /// A server that sends a second answer behind each of its answers.
    ///
    /// One that does so behind some alone may pass for an honest one, and its stray answer can't be told from the one that
    /// was asked for if it comes after the next request.
    private let straying: Origin
    private let door: TortureDoor
    /// The files of the host that answers ranges in many ways; the others are honest.
    private let bent: BentFiles
    private var daemon: Program?
    /// The number of the bent or honest file that each URL stands for.
    private var files: [String: (number: Int, isBent: Bool)] = [:]
    private var next = 0
    private var counts: [String: Int] = [:]

    private static let honestSizes = 2_000...3_000_000

    init(seed: UInt64) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        installation = try Installation()
        origin = try Origin.start()
        straying = try Origin.start()
        door = try TortureDoor(to: origin, isShared: true)
        bent = BentFiles(seed: seed, count: .max)
    }

    func close() {
        daemon?.signal(SIGKILL)
        door.close()
        origin.stop()
        straying.stop()
    }

    // MARK: - What is served

    /// The bytes of an honest file, each of which has its own.
    private static func honest(_ number: Int, _ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 6_700_417)
        let count =
            Int.random(in: 0..<30, using: &generator) == 0
            ? Int.random(in: 33 << 20...35 << 20, using: &generator)
            : Int(exp(Double.random(in: log(2_000)...log(3_000_000), using: &generator)))
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
        for offset in stride(from: 0, to: count - 8, by: 1024) {
            for (index, byte) in withUnsafeBytes(of: UInt64(number) << 32 | UInt64(offset), Array.init)
                .enumerated()
            {
                bytes[offset + index] = byte
            }
        }
        return bytes
    }

    /// Serves some more files, and returns their URLs.
    private func serveMore(_ count: Int) -> [String] {
        (0..<count).map { _ in
            defer { next += 1 }
            let (number, seed) = (next, seed)
            let kind = Int.random(in: 0..<6, using: &generator)
            if kind == 0 {
                let bent = bent
                origin.serve("/" + bent.name(number)) { bent.answer(number, to: $0) }
                let url = origin.url("/" + bent.name(number))
                files[url] = (number, true)
                return url
            }
            let name = "/h\(number).jpg"
            let speed =
                Bool.random(using: &generator) ? nil : Int.random(in: 50_000...3_000_000, using: &generator)
            let strays = kind == 1 ? Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong".utf8) : []
            let server = kind == 1 ? straying : origin
            server.serve(name) { request in
                let file = OriginFile(Self.honest(number, seed), entityTag: "\"\(number)\"")
                var answer = file.answer(to: request).followed(by: strays)
                answer.bytesPerSecond = speed
                return answer
            }
            // Not through nginx, which would take strays for its own trouble.
            let url = kind == 1 || Bool.random(using: &generator) ? server.url(name) : door.url(name)
            files[url] = (number, false)
            return url
        }
    }

    // MARK: - Steering

    func rage(for duration: Duration) async throws {
        try await start()
        try await add(40)
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            try await act()
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...150, using: &generator)))
        }
    }

    private func start() async throws {
        let settings = door.settings.merging([
            "FACEFETCH_TRANSFER_CONCURRENCY": "48",
            "FACEFETCH_DETECTION_WHEN": "held", "FACEFETCH_TRANSFER_TRIES": "6",
        ]) { $1 }
        try writeSettings()
        daemon = try await installation.startDaemon(
            flags: ["--config", installation.directory.path("facefetchd.yaml")],
            environment: settings
        )
    }

    /// Settings that a reload finds changed: a rate for the hosts, beside that of all transfers.
    private func writeSettings() throws {
        let rate = Int.random(in: 0..<3, using: &generator)
        let hosts = rate == 0 ? "" : "hosts:\n  127.0.0.1:\n    rate-limit: \(rate * 3) MB\n"
        let words = "transfer:\n  rate-limit: 12 MB\n" + hosts
        _ = try installation.directory.write(Array(words.utf8), to: "facefetchd.yaml")
    }

    private func post(_ target: String, _ body: String? = nil, _ method: String = "POST") async throws {
        // A daemon that was just killed doesn't answer.
        let response = try? await HTTPClient.send(method, target, body, to: installation.socket)
        let name = target.split(separator: "/").last { Int($0) == nil } ?? ""
        counts["\(method) \(name)", default: 0] += 1
        if let response { #expect(response.status < 500, "\(method) \(target): \(response.status)") }
    }

    private func add(_ count: Int) async throws {
        let items = serveMore(count).map { url in
            let rate = Int.random(in: 0..<5, using: &generator) == 0 ? ",\"rate_limit\":400000" : ""
            return "{\"url\":\"\(url)\"\(rate)}"
        }
        try await post("/v1/batches", "{\"items\":[\(items.joined(separator: ","))]}")
    }

    private func act() async throws {
        let job = Int.random(in: 1...max(1, next), using: &generator)
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: try await post("/v1/jobs/pause")
        case 1, 2: try await post("/v1/jobs/resume")
        case 3: try await post("/v1/jobs/\(job)/pause")
        case 4: try await post("/v1/jobs/\(job)/resume")
        case 5: try await post("/v1/jobs/\(job)/cancel")
        case 6: try await post("/v1/jobs/\(job)/retry")
        case 7: try await post("/v1/jobs/retry")
        case 8:
            let priority = Int.random(in: -5...5, using: &generator)
            try await post("/v1/jobs/\(job)", "{\"priority\":\(priority)}", "PATCH")
        case 9:
            try await post("/v1/attention/storm", "{\"visible\":[\(job)],\"near\":[\(job + 1)]}", "PUT")
        case 10:
            try writeSettings()
            daemon?.signal(SIGHUP)
            counts["reload", default: 0] += 1
        case 11 where Int.random(in: 0..<4, using: &generator) == 0:
            daemon?.signal(SIGKILL)
            _ = await daemon?.status
            counts["kill", default: 0] += 1
            try await start()
        default:
            try await post("/v1/jobs/resume")
            try await add(Int.random(in: 1...12, using: &generator))
        }
    }

    // MARK: - What has to be true

    /// Has everything go on, waits for it, and compares every byte of every document.
    func calm() async throws -> String {
        // What is left would take very long at these rates.
        _ = try installation.directory.write(Array("hosts: {}\n".utf8), to: "facefetchd.yaml")
        daemon?.signal(SIGHUP)
        try await post("/v1/jobs/resume")
        try await post("/v1/jobs/retry")
        var (open, endedLast) = (Int.max, ContinuousClock.now)
        while open > 0, ContinuousClock.now < endedLast + .seconds(600) {
            try await Task.sleep(for: .milliseconds(500))
            let status = try await HTTPClient.send("GET", "/v1/status", to: installation.socket)
                .decoded(as: StatusJSON.self)
            let jobs = status.jobs
            let ended =
                jobs["stored", default: 0] + jobs["failed", default: 0] + jobs["cancelled", default: 0]
            let left = jobs.values.reduce(0, +) - ended
            if left < open { (open, endedLast) = (left, .now) }
        }
        #expect(open == 0, "\(open) jobs neither end nor fail: SEED=\(seed)")
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(await daemon?.stop() == 0)
        var whole = 0
        for job in jobs {
            guard let file = files[job.url] else { continue }
            guard job.state == "stored" else {
                let isTold = file.isBent || job.state == "cancelled"
                let words = job.error?.message ?? ""
                #expect(isTold, "\(job.url) is \(job.state): \(words), SEED=\(seed)")
                continue
            }
            let document = try installation.document(job.name)
            let isRight =
                file.isBent
                ? (0...1).contains { document == bent.bytes(file.number, version: $0) }
                : document == Self.honest(file.number, seed)
            let beginning = String(decoding: document.prefix(16), as: UTF8.self).debugDescription
            #expect(
                isRight,
                "job \(job.id), \(job.url), has \(document.count) bytes that aren't its file's, \(beginning): SEED=\(seed)"
            )
            whole += 1
        }
        #expect(whole > 0)
        let actions = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
            separator: ", "
        )
        let requests = origin.requests.count + straying.requests.count
        return "\(whole) of \(jobs.count) whole, \(requests) requests; \(actions)"
    }
}
