import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("A body of a type that isn't accepted", .timeLimit(.minutes(1)))
struct JudgedBodyTests {
    private static let picture: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + OriginContent.bytes(seed: 5, count: 200_000)
    private static let page = Array("<!DOCTYPE html>".utf8) + OriginContent.bytes(seed: 6, count: 200_000)

    private func answer(_ bytes: [UInt8], type: String = "text/plain") -> OriginAnswer {
        OriginAnswer(200, [("Content-Type", type), ("ETag", "\"v1\"")], body: bytes)
    }

    @Test(
        "is taken if it is a picture, however it comes",
        arguments: [false, true],
        [OriginAnswer.Framing.contentLength, .chunked, .untilClose]
    )
    func picture(mayBuffer: Bool, framing: OriginAnswer.Framing) async throws {
        try await TransferBench.run { bench in
            for count in [40, 63, 64, 65, 5000, 200_008] {
                let bytes = Array(Self.picture[..<count])
                bench.origin.serve("/a") { _ in answer(bytes).framed(framing) }
                let running = try bench.fetch("/a", mayBuffer: mayBuffer)
                let end = await running.end
                if case .buffered(let body, _)? = end {
                    #expect(mayBuffer && body.bytes == bytes)
                } else {
                    guard case .completed(Int64(count), _)? = end else {
                        Issue.record("\(String(describing: end))")
                        return
                    }
                    #expect(running.partial == bytes)
                }
                #expect(running.start?.response?.contentType == "text/plain")
            }
        }
    }

    @Test("is judged by its first bytes, also if they come one by one")
    func slowly() async throws {
        try await TransferBench.run { bench in
            let gates = (0..<4).map { _ in OriginGate() }
            bench.origin.serve("/a") { _ in
                gates.enumerated().reduce(answer(Self.picture)) {
                    $0.held(beforeByte: $1.offset * 20 + 1, by: $1.element)
                }
            }
            let running = try bench.fetch("/a")
            for gate in gates {
                #expect(running.reports.isEmpty)
                gate.open()
                await bench.checkIn()
            }
            #expect(await running.end == .completed(length: 200_008, lengthProven: true))
            #expect(running.partial == Self.picture)
        }
    }

    @Test("is judged by what is in it where it comes compressed", arguments: [false, true])
    func compressed(isPicture: Bool) async throws {
        try await TransferBench.run { bench in
            let bytes = isPicture ? Self.picture : Self.page
            let packed = try Compressed.gzip(bytes)
            bench.origin.serve("/a") { _ in answer(packed).header("Content-Encoding", "gzip") }
            let running = try bench.fetch("/a")
            if isPicture {
                #expect(await running.end == .completed(length: Int64(bytes.count), lengthProven: true))
                #expect(running.partial == bytes)
            } else {
                #expect(await running.end?.code == .unexpectedContentType)
                #expect(running.reports.count == 1)
            }
        }
    }

    @Test("is refused otherwise, without more of it than its beginning")
    func page() async throws {
        try await TransferBench.run { bench in
            // What stands behind the gate never comes.
            let gate = OriginGate()
            bench.origin.serve("/large") { _ in answer(Self.page).held(beforeByte: 100, by: gate) }
            bench.origin.serve("/small") { _ in answer(Array(Self.page[..<10])) }
            bench.origin.serve("/none") { _ in answer([]) }
            for path in ["/large", "/small", "/none"] {
                let running = try bench.fetch(path, mayBuffer: true)
                let end = await running.end
                #expect(end?.isRefusal == true && end?.code == .unexpectedContentType, "\(path)")
                #expect(running.reports.count == 1)
            }
            #expect(try bench.directory.names().isEmpty)
            gate.open()
        }
    }

    @Test("that breaks off before it is judged is tried again")
    func brokenOff() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a") { _ in answer(Self.picture).cut(after: 20) }
            let running = try bench.fetch("/a", mayBuffer: true)
            #expect(await running.end?.isTransient == true)
            #expect(try bench.directory.names().isEmpty)
        }
    }

    @Test("goes on where the partial is a picture, and not where it isn't", arguments: [false, true])
    func resumed(isPicture: Bool) async throws {
        try await TransferBench.run { bench in
            var file = OriginFile(isPicture ? Self.picture : Self.page)
            file.type = "application/json"
            bench.origin.serve("/a", file)
            let point = ResumePoint(
                offset: 1000,
                total: Int64(file.bytes.count),
                validator: .entityTag("\"v1\"")
            )
            let running = try bench.fetch("/a", resume: point, partial: Array(file.bytes[..<1000]))
            if isPicture {
                #expect(await running.end == .completed(length: Int64(file.bytes.count), lengthProven: true))
                #expect(running.partial == file.bytes)
            } else {
                #expect(await running.end?.code == .unexpectedContentType)
                #expect(running.partial == Array(file.bytes[..<1000]))
            }
        }
    }

    @Test("that replaces what the partial has is judged once that is given up", arguments: [0, 40, 200_008])
    func replacing(count: Int) async throws {
        try await TransferBench.run { bench in
            for isPicture in [false, true] {
                var file = OriginFile(
                    Array((isPicture ? Self.picture : Self.page)[..<count]),
                    entityTag: "\"v2\""
                )
                file.type = "text/plain"
                bench.origin.serve("/a", file)
                let point = ResumePoint(offset: 1000, total: nil, validator: .entityTag("\"v1\""))
                let running = try bench.fetch("/a", resume: point, partial: Array(repeating: 1, count: 1000))
                if isPicture, count > 0 {
                    #expect(await running.end == .completed(length: Int64(count), lengthProven: true))
                    #expect(running.partial == file.bytes)
                } else {
                    #expect(await running.end?.code == .unexpectedContentType)
                }
            }
        }
    }
}
