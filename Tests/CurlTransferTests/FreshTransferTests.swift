import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("A fresh transfer", .timeLimit(.minutes(1)))
struct FreshTransferTests {
    private let file = OriginFile(seed: 1, count: 300_000)

    private static func start(total: Int64) -> TransferStart {
        let validator = Validator.entityTag("\"v1\"")
        return TransferStart(
            mode: .fresh,
            offset: 0,
            total: total,
            validator: validator,
            contentType: "image/jpeg"
        )
    }

    @Test("brings the file's bytes, its length and its validator")
    func wholeFile() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 300_000, lengthProven: true))
            #expect(running.partial == file.bytes)
            #expect(
                running.start?.withoutResponse
                    == Self.start(total: 300_000)
            )
            let response = try #require(running.start?.response)
            #expect(response.status == 200 && response.contentType == "image/jpeg")
            #expect(response.entityTag == "\"v1\"" && response.finalURL == bench.origin.url("/a.jpg"))
            #expect(response.lastModified == nil)
            let request = try #require(bench.origin.requests("/a.jpg").first)
            #expect(request.header("User-Agent") == "facefetch-test/1")
            #expect(request.header("Accept-Encoding") == "identity")
            #expect(request.header("Range") == nil)
            #expect(request.header("Accept") == "image/*, */*;q=0.8")
        }
    }

    @Test("prefers what a job's own Accept field says")
    func ownAccept() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let field = try RequestHeader(name: "accept", value: "image/webp")
            _ = await (try bench.fetch("/a.jpg", headers: [field])).end
            #expect(bench.origin.requests("/a.jpg").first?.header("Accept") == "image/webp")
        }
    }

    @Test("of a small file is told in one call: began, progressed, ended")
    func smallFile() async throws {
        try await TransferBench.run { bench in
            let file = OriginFile(seed: 2, count: 12_000)
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg")
            _ = await running.end
            let start = Self.start(total: 12_000)
            #expect(
                running.reports.map(\.withoutResponse) == [
                    .began(start), .progressed(bytes: 12_000),
                    .ended(.completed(length: 12_000, lengthProven: true)),
                ]
            )
        }
    }

    @Test("of an empty file is a failure that may pass, however its end is told")
    func emptyFile() async throws {
        try await TransferBench.run { bench in
            let file = OriginFile([])
            bench.origin.serve("/a.jpg", file)
            bench.origin.serve("/b.jpg") { _ in file.whole.framed(.chunked) }
            bench.origin.serve("/c.jpg") { _ in file.whole.framed(.untilClose) }
            for path in ["/a.jpg", "/b.jpg", "/c.jpg"] {
                guard case .interrupted(let failure, nil) = try await bench.fetch(path).end else {
                    Issue.record("\(path) ended otherwise")
                    continue
                }
                #expect(failure.code == .empty && failure.message.contains("without a byte"))
            }
        }
    }

    @Test("in chunks has no length beforehand, and a proven one in the end")
    func chunked() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.framed(.chunked) }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 300_000, lengthProven: true))
            #expect(running.start?.total == nil)
            #expect(running.partial == file.bytes)
        }
    }

    @Test("that only the closing connection ends is noted as unproven")
    func closeDelimited() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.framed(.untilClose) }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 300_000, lengthProven: false))
            #expect(running.partial == file.bytes)
        }
    }

    @Test("tells the name that the server suggests")
    func suggestedName() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/get") { _ in
                file.whole.header("Content-Disposition", "attachment; filename=\"a.jpg\"")
            }
            let running = try bench.fetch("/get?id=5")
            _ = await running.end
            #expect(running.start?.suggestedName == "a.jpg")
        }
    }

    @Test("empties a partial that is already there")
    func emptiesPartial() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", OriginFile(seed: 3, count: 10))
            let running = try bench.fetch("/a.jpg", partial: OriginContent.bytes(seed: 4, count: 50))
            _ = await running.end
            #expect(running.partial == OriginContent.bytes(seed: 3, count: 10))
        }
    }

    @Test("uses one connection for files that come one after the other")
    func connectionReuse() async throws {
        try await TransferBench.run { bench in
            // The first connections of a host are watched for a moment.
            try await waitWhile {
                _ = try await bench.fetch("/missing").end
                return bench.origin.connectionCount == bench.origin.requests.count
            }
            let before = bench.origin.connectionCount
            for index in 0..<5 {
                bench.origin.serve("/\(index)", OriginFile(seed: UInt64(index), count: 20_000))
                _ = try await bench.fetch("/\(index)").end
            }
            _ = try await bench.fetch("/missing").end
            bench.origin.serve("/moved") { _ in .redirect("/0") }
            _ = try await bench.fetch("/moved").end
            #expect(bench.origin.connectionCount == before)
        }
    }

    @Test("runs beside many others, each into its own partial")
    func manyAtOnce() async throws {
        try await TransferBench.run { bench in
            let all = try (0..<100).map { index in
                bench.origin.serve("/\(index)", OriginFile(seed: UInt64(index), count: 1000 + 331 * index))
                return try bench.fetch("/\(index)")
            }
            for (index, running) in all.enumerated() {
                let count = 1000 + 331 * index
                #expect(await running.end == .completed(length: Int64(count), lengthProven: true))
                #expect(running.partial == OriginContent.bytes(seed: UInt64(index), count: count))
            }
        }
    }
}

extension TransferStart {
    /// The same without what is kept of the answer, which has the time.
    fileprivate var withoutResponse: TransferStart {
        var start = self
        start.response = nil
        return start
    }
}

extension TransferReport {
    fileprivate var withoutResponse: TransferReport {
        if case .began(let start) = self { .began(start.withoutResponse) } else { self }
    }
}
