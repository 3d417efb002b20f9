import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("A request in hand", .timeLimit(.minutes(1)))
struct RequestsInHandTests {
    private let file = OriginFile(seed: 23, count: 20_000)

    private func fetch(_ path: String, most: Int, _ bench: TransferBench) throws -> TransferBench.Running {
        try bench.fetch(path, mayBuffer: true, turn: TransferTurn(host: "origin", most: most))
    }

    @Test("goes out when another transfer of its host ends, and not before")
    func follows() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            bench.origin.serve("/1.jpg") { _ in file.whole.held(by: gate) }
            bench.origin.serve("/2.jpg", file)
            bench.origin.serve("/3.jpg", file)
            let first = try fetch("/1.jpg", most: 1, bench)
            let others = try ["/2.jpg", "/3.jpg"].map { try fetch($0, most: 1, bench) }
            await gate.reached()
            await bench.checkIn()
            #expect(bench.origin.requests.count == 1)
            gate.open()
            for running in [first] + others { #expect(await running.end?.isWhole == true) }
            #expect(bench.origin.requests.map(\.path) == ["/1.jpg", "/2.jpg", "/3.jpg"])
        }
    }

    @Test("is told to the engine as unsent when it is given back, or stopped, and isn't sent")
    func givenBack() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            bench.origin.serve("/1.jpg") { _ in file.whole.held(by: gate) }
            let first = try fetch("/1.jpg", most: 1, bench)
            let stopped = try fetch("/2.jpg", most: 1, bench)
            let recalled = try fetch("/3.jpg", most: 1, bench)
            await gate.reached()
            stopped.stop()
            #expect(await stopped.end == .unsent)
            bench.recall([first, recalled])
            #expect(await recalled.end == .unsent)
            gate.open()
            #expect(await first.end?.isWhole == true)
            #expect(bench.origin.requests.count == 1)
        }
    }

    @Test("stays when others are given back, and goes out in its turn")
    func stays() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            bench.origin.serve("/1.jpg") { _ in file.whole.held(by: gate) }
            for number in 2...6 { bench.origin.serve("/\(number).jpg", file) }
            let all = try (1...6).map { try fetch("/\($0).jpg", most: 1, bench) }
            await gate.reached()
            bench.recall([all[2], all[4]])
            #expect(await all[4].end == .unsent)
            #expect(await all[2].end == .unsent)
            gate.open()
            for place in [0, 1, 3, 5] { #expect(await all[place].end?.isWhole == true) }
            #expect(bench.origin.requests.map(\.path) == ["/1.jpg", "/2.jpg", "/4.jpg", "/6.jpg"])
        }
    }

    @Test("is given back when the host asks everybody to wait")
    func hindered() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            bench.origin.serve("/1.jpg") { _ in
                OriginAnswer(429, [("Retry-After", "9")], body: []).held(by: gate)
            }
            let first = try fetch("/1.jpg", most: 1, bench)
            let other = try fetch("/2.jpg", most: 1, bench)
            await gate.reached()
            gate.open()
            #expect(await first.end?.isTransient == true)
            #expect(await other.end == .unsent)
            #expect(bench.origin.requests.count == 1)
        }
    }

    @Test("more go out at once when the limit is raised")
    func raised() async throws {
        try await TransferBench.run { bench in
            let gates = [OriginGate(), OriginGate(), OriginGate()]
            for (number, gate) in gates.enumerated() {
                bench.origin.serve("/\(number).jpg") { _ in file.whole.held(by: gate) }
            }
            let all = try [1, 1, 3].enumerated().map { try fetch("/\($0).jpg", most: $1, bench) }
            for gate in gates { await gate.reached() }
            for gate in gates { gate.open() }
            for running in all { #expect(await running.end?.isWhole == true) }
        }
    }
}
