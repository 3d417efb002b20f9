import CurlTransfer
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

@Suite("Bytes that belong to another answer", .timeLimit(.minutes(1)))
struct StrayBytesTests {
    private func file(_ seed: UInt64) -> OriginFile { OriginFile(seed: seed, count: 30_000) }

    /// An answer that a server sends without having been asked.
    private static let second: [UInt8] = {
        let body = String(repeating: "wrong ", count: 1000)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }()

    private func check(_ running: TransferBench.Running, _ file: OriginFile) async {
        let end = await running.end
        #expect(end == .completed(length: Int64(file.bytes.count), lengthProven: true))
        let isSame = running.partial == file.bytes
        #expect(isSame)
    }

    @Test(
        "A connection with unread bytes isn't used again, nor are others to such a host",
        arguments: [Array("\n".utf8), second, second.dropLast(10)]
    )
    func strays(bytes: [UInt8]) async throws {
        try await TransferBench.run { bench in
            for number in 0..<6 {
                let (path, file) = ("/\(number).jpg", file(UInt64(number)))
                bench.origin.serve(path) { file.answer(to: $0).followed(by: bytes) }
                await check(try bench.fetch(path), file)
                // The bytes behind it are on their way.
                try await waitWhile { bench.origin.requests(path).first?.ended == nil }
            }
            #expect(bench.origin.connectionCount == 6)
        }
    }

    @Test("The rest of a file isn't asked for over a connection that is still watched")
    func strayForRest() async throws {
        // Where the machine stands still for longer than the watch takes, nothing is shown, and it is tried again.
        var (isShown, tries) = (false, 0)
        while !isShown, tries < 50 {
            tries += 1
            try await TransferBench.run { bench in
                let (first, large, gate) = (file(1), OriginFile(seed: 7, count: 200_000), OriginGate())
                defer { gate.open() }
                bench.origin.serve("/1.jpg") {
                    first.answer(to: $0).held(beforeByte: first.bytes.count, by: gate)
                        .followed(by: Self.second)
                }
                bench.origin.serve("/2.jpg", large)
                let began = ContinuousClock.now
                await check(try bench.fetch("/1.jpg"), first)
                let point = ResumePoint(offset: 70_000, total: 200_000, validator: .entityTag("\"v1\""))
                let rest = try bench.fetch("/2.jpg", resume: point, partial: Array(large.bytes[..<70_000]))
                // Its request is sent by then.
                for _ in 0..<2 { await bench.checkIn() }
                guard ContinuousClock.now - began < .milliseconds(100) else { return }
                isShown = true
                gate.open()
                await check(rest, large)
            }
        }
        #expect(isShown)
    }

    @Test(
        "A connection whose answer ends in the call of libcurl that begins the next request isn't used with bytes on it"
    )
    func meanwhile() async throws {
        try await TransferBench.run { bench in
            let (first, second, gates) = (file(1), file(2), (0..<3).map { _ in OriginGate() })
            defer { for gate in gates { gate.open() } }
            bench.origin.serve("/0.jpg", first)
            try await waitWhile {
                await check(try bench.fetch("/0.jpg"), first)
                return bench.origin.connectionCount == bench.origin.requests.count
            }
            bench.origin.serve("/1.jpg") {
                first.answer(to: $0).held(beforeByte: 29_999, by: gates[0])
                    .followed(by: Self.second, atOnce: true)
            }
            bench.origin.serve("/2.jpg", second)
            let ending = try bench.fetch("/1.jpg")
            await gates[0].reached()
            bench.stop(at: gates[1])
            await gates[1].reached()
            // What is asked now is taken at once, and nothing is read before.
            bench.stop(at: gates[2])
            let next = try bench.fetch("/2.jpg")
            gates[1].open()
            await gates[2].reached()
            gates[0].open()
            try await waitWhile { bench.origin.requests("/1.jpg").first?.ended == nil }
            gates[2].open()
            await check(ending, first)
            await check(next, second)
        }
    }

    @Test("A connection without any is used again, once some were left alone for a moment")
    func clean() async throws {
        try await TransferBench.run { bench in
            let file = file(1)
            bench.origin.serve("/1.jpg", file)
            try await waitWhile {
                await check(try bench.fetch("/1.jpg"), file)
                return bench.origin.connectionCount == bench.origin.requests.count
            }
        }
    }

    @Test(
        "What makes no sense as an answer is asked again over a new connection",
        arguments: ["\n", "HTTP/x\r\n\r\n", "abc\r\n"]
    )
    func nonsense(words: String) async throws {
        try await TransferBench.run { bench in
            let first = file(1)
            bench.origin.serve("/1.jpg", first)
            let second = file(2)
            bench.origin.serve("/2.jpg") { request in
                request.index == 0 ? .garbage(Array(words.utf8)) : second.answer(to: request)
            }
            try await waitWhile {
                await check(try bench.fetch("/1.jpg"), first)
                return bench.origin.connectionCount == bench.origin.requests.count
            }
            let before = bench.origin.connectionCount
            await check(try bench.fetch("/2.jpg"), second)
            #expect(bench.origin.connectionCount == before + 1)
            #expect(bench.origin.requests("/2.jpg").count == 2)
        }
    }

    @Test("What makes no sense on a new connection isn't asked again here")
    func nonsenseAtFirst() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/1.jpg") { _ in .garbage(Array("\n".utf8)) }
            let running = try bench.fetch("/1.jpg")
            #expect(await running.end?.code == .protocolError)
            #expect(bench.origin.requests("/1.jpg").count == 1)
        }
    }
}

/// Skipped where nginx or openssl isn't installed.
@Suite(
    "Transfers stopped while they are paused",
    .timeLimit(.minutes(1)),
    .enabled(if: NginxServer.executable != nil && TestCertificate.isPossible),
    .ownThread
)
struct StoppedWhilePausedTests: SharedConnectionBench {
    let certificate: TestCertificate

    init() throws { certificate = try TestCertificate() }

    @Test("Nothing of them comes into other files, over the same connection or another host's")
    func paused() async throws {
        let server = try NginxServer.start(certificate: files)
        defer { server.stop() }
        try server.serve([UInt8](repeating: 0x62, count: 4 << 20), at: "large.jpg")
        try server.serve(bytes, at: "small.jpg")
        try await run { bench in
            let file = OriginFile(seed: 82, count: 50_000)
            bench.origin.serve("/other.jpg", file)
            try await meet(server.url("/small.jpg"), bench)
            // More than one answer is read at a time, so libcurl has some of the others'.
            bench.limitRate(to: 100_000)
            let stopped = try (0..<6).map { _ in try bench.fetch(JobURL(server.url("/large.jpg"))) }
            for running in stopped {
                _ = await bench.report(of: running.job) { if case .began = $0 { true } else { false } }
            }
            await bench.checkIn()
            let others = try bench.fetch(JobURL(server.url("/large.jpg")))
            for running in stopped { running.stop() }
            for running in stopped { #expect(await running.end == .stopped) }
            bench.limitRate(to: nil)
            for _ in 0..<6 {
                let (own, small) = (
                    try bench.fetch("/other.jpg"), try bench.fetch(JobURL(server.url("/small.jpg")))
                )
                #expect(await own.end == .completed(length: 50_000, lengthProven: true))
                let isSame = own.partial == file.bytes
                #expect(isSame)
                #expect(await small.end == .completed(length: Int64(bytes.count), lengthProven: true))
                let isSmall = small.partial == bytes
                #expect(isSmall)
            }
            #expect(await others.end?.isWhole == true)
            let isLarge = others.partial.allSatisfy { $0 == 0x62 }
            #expect(isLarge)
        }
    }
}
