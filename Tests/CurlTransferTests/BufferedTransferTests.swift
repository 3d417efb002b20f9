import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("A small body", .timeLimit(.minutes(1)))
struct BufferedTransferTests {
    private let file = OriginFile(seed: 31, count: 100_000)

    /// The bytes of a transfer that ended in memory.
    private func body(_ end: TransferEnd?) -> [UInt8]? {
        guard case .buffered(let body, true) = end else { return nil }
        return body.bytes
    }

    @Test("stays in memory until it is whole, and touches no file")
    func whole() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg", mayBuffer: true)
            #expect(body(await running.end) == file.bytes)
            #expect(try bench.directory.names().isEmpty)
        }
    }

    @Test("that comes at once is whole before anything is said of how far it is")
    func atOnce() async throws {
        try await TransferBench.run { bench in
            // One packet, so that no time passes between its beginning and its end.
            let bytes = Array(file.bytes[..<10_000])
            bench.origin.serve("/a.jpg") { _ in
                var answer = OriginAnswer(200)
                answer.raw = Array("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n".utf8) + bytes
                return answer
            }
            let running = try bench.fetch("/a.jpg", mayBuffer: true)
            #expect(body(await running.end) == bytes)
            let isProgress = running.reports.map { if case .progressed = $0 { true } else { false } }
            #expect(isProgress == [false, false])
        }
    }

    @Test("goes to the partial where an earlier attempt may have left one")
    func laterAttempt() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 100_000, lengthProven: true))
            #expect(running.partial == file.bytes)
        }
    }

    @Test("goes to the partial once it turns out to be large", arguments: [131_072, 131_073, 400_000])
    func unannounced(count: Int) async throws {
        let file = OriginFile(seed: 32, count: count)
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.framed(.chunked) }
            let running = try bench.fetch("/a.jpg", mayBuffer: true)
            let end = await running.end
            if count <= 128 << 10 {
                #expect(body(end) == file.bytes)
            } else {
                #expect(end == .completed(length: Int64(count), lengthProven: true))
                #expect(running.partial == file.bytes)
            }
        }
    }

    @Test("that is stopped is in its partial, as far as it came")
    func stopped() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.held(beforeByte: 60_000, by: OriginGate()) }
            let running = try bench.fetch("/a.jpg", mayBuffer: true)
            await running.progress(of: 60_000)
            running.stop()
            #expect(await running.end == .stopped)
            #expect(running.partial == Array(file.bytes[..<60_000]))
        }
    }

    @Test("that breaks off is in its partial, and goes on from there")
    func brokenOff() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.cut(after: 70_000) }
            let running = try bench.fetch("/a.jpg", mayBuffer: true)
            #expect(await running.end?.isTransient == true)
            #expect(running.partial == Array(file.bytes[..<70_000]))
            bench.origin.serve("/a.jpg", file)
            let point = ResumePoint(offset: 70_000, total: 100_000, validator: .entityTag("\"v1\""))
            let again = try bench.fetch("/a.jpg", resume: point, partial: running.partial, mayBuffer: true)
            #expect(await again.end == .completed(length: 100_000, lengthProven: true))
            #expect(again.partial == file.bytes)
        }
    }

    @Test("that takes longer than a second goes to its partial, also while nothing comes")
    func slow() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            bench.origin.serve("/a.jpg") { _ in file.whole.held(beforeByte: 60_000, by: gate) }
            let running = try bench.fetch("/a.jpg", mayBuffer: true)
            await running.progress(of: 60_000)
            while running.partial.count < 60_000 { await bench.checkIn() }
            gate.open()
            #expect(await running.end == .completed(length: 100_000, lengthProven: true))
            #expect(running.partial == file.bytes)
        }
    }

    @Test(
        "is in its partial when the daemon stops, or the store needs the disk's last room",
        arguments: [false, true]
    )
    func end(isHeld: Bool) async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.held(beforeByte: 60_000, by: OriginGate()) }
            let running = try bench.fetch("/a.jpg", mayBuffer: true)
            await running.progress(of: 60_000)
            if isHeld { #expect(bench.holdWriting()) } else { bench.shutdown() }
            #expect(running.partial == Array(file.bytes[..<60_000]))
        }
    }

    @Test("ends as it would on the disk if its partial can't be written")
    func unwritable() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.cut(after: 70_000) }
            let url = try bench.origin.jobURL("/a.jpg")
            let path = bench.directory.path("missing/1.part")
            let running = try bench.fetch(url, path: path, mayBuffer: true)
            #expect(await running.end?.code == .storageLost)
        }
    }

    @Test("has a bound in common with all others in memory, past which bodies go to their partials")
    func bound() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            var bodies: [BufferedBody] = []
            var last: TransferEnd?
            while bodies.count < 200 {
                let begun = ContinuousClock.now
                last = await (try bench.fetch("/a.jpg", mayBuffer: true)).end
                if case .buffered(let body, _) = last {
                    bodies.append(body)
                } else if begun.duration(to: .now) < .seconds(1) {
                    break
                }
                // What takes longer isn't kept in memory, whatever room there is: another one shows that.
            }
            #expect(bodies.count == (8 << 20) / 100_000)
            #expect(last == .completed(length: 100_000, lengthProven: true))
        }
    }
}
