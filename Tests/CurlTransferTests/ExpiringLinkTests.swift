import CurlTransfer
import Glibc
import JobModel
import TestSupport
import Testing

@Suite("A large file behind a link that expires in mid-file", .timeLimit(.minutes(2)), .serialized)
struct ExpiringLinkTests {
    private static let mib = 1 << 20
    private static let file = OriginFile(seed: 44, count: 40 * mib)
    private var file: OriginFile { Self.file }

    /// Serves `/a.jpg`, whose first answer stops after a megabyte until the fourth request has come.
    private func checkWhole(
        _ bench: TransferBench,
        query: String = "",
        answer: @escaping @Sendable (OriginRequest, OriginGate) -> OriginAnswer
    ) async throws {
        let gate = OriginGate()
        bench.origin.serve("/a.jpg") { request in
            if request.index >= 3 { gate.open() }
            return answer(request, gate)
        }
        let running = try bench.fetch("/a.jpg" + query)
        #expect(await running.end == .completed(length: Int64(file.bytes.count), lengthProven: true))
        let isSame = running.partial == file.bytes
        #expect(isSame)
    }

    @Test("comes whole where its own URL redirects to a new one")
    func redirects() async throws {
        try await TransferBench.run { bench in
            let file = file
            try await checkWhole(bench) { request, gate in
                let link = "/signed\(request.index).jpg"
                // Each is good for one request.
                bench.origin.serve(link) { signed in
                    guard signed.index == 0 else { return OriginAnswer(403) }
                    let answer = file.answer(to: signed)
                    return request.index == 0 ? answer.held(beforeByte: Self.mib, by: gate) : answer
                }
                return .redirect(link)
            }
            #expect(bench.origin.requests("/a.jpg").count >= 4)
        }
    }

    @Test("is asked for at once where the link says so")
    func dated() async throws {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let query = "?Expires=\(time.tv_sec + 3600)&Signature=x"
        try await TransferBench.run { bench in
            let file = file
            try await checkWhole(bench, query: query) { request, gate in
                guard request.index <= 3 else { return OriginAnswer(403) }
                return file.answer(to: request).held(beforeByte: Self.mib, by: gate)
            }
            let ranges = bench.origin.requests("/a.jpg").prefix(4).compactMap(\.range)
            #expect(ranges.allSatisfy { ($0.last ?? 0) - $0.first + 1 >= 9 * Self.mib }, "\(ranges)")
        }
    }
}
