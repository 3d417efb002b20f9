import CCurl
import JobModel
import TestSupport
import Testing

@testable import CurlTransfer

@Suite("A body that comes compressed", .timeLimit(.minutes(1)))
struct CodedBodyTests {
    /// Bytes of which some are left when they are compressed.
    private static let bytes: [UInt8] = {
        let noise = OriginContent.bytes(seed: 91, count: 40_000)
        return noise + noise.map { $0 & 15 }
    }()

    struct Form: Sendable, CustomStringConvertible {
        var description: String
        var coding: String
        var packed: [UInt8]
    }

    private static var forms: [Form] {
        get throws {
            [
                Form(description: "gzip", coding: "gzip", packed: try Compressed.gzip(bytes)),
                Form(description: "zlib", coding: "deflate", packed: try Compressed.zlib(bytes)),
                Form(description: "bare", coding: "deflate", packed: try Compressed.bare(bytes)),
            ]
        }
    }

    private func answer(_ body: [UInt8], _ coding: String) -> OriginAnswer {
        OriginAnswer(200, [("Content-Type", "image/png"), ("ETag", "\"v1\"")], body: body)
            .header("Content-Encoding", coding)
    }

    @Test("is stored as the file itself, however it is framed, in memory or not", arguments: [false, true])
    func whole(mayBuffer: Bool) async throws {
        try await TransferBench.run { bench in
            for form in try Self.forms {
                for framing in [OriginAnswer.Framing.contentLength, .chunked, .untilClose] {
                    bench.origin.serve("/a.png") { _ in answer(form.packed, form.coding).framed(framing) }
                    let running = try bench.fetch("/a.png", mayBuffer: mayBuffer)
                    let isProven = if case .untilClose = framing { false } else { true }
                    let end = await running.end
                    if mayBuffer, case .buffered(let body, lengthProven: let isSaidToBe)? = end {
                        #expect(body.bytes == Self.bytes && isSaidToBe == isProven)
                    } else {
                        let length = Int64(Self.bytes.count)
                        #expect(
                            !mayBuffer && end == .completed(length: length, lengthProven: isProven),
                            "\(form), \(framing)"
                        )
                        #expect(running.partial == Self.bytes)
                    }
                    #expect(running.start?.total == nil && running.start?.validator == nil)
                }
            }
        }
    }

    @Test("and breaks off is never a whole one, though its framing is intact", arguments: [false, true])
    func cut(mayBuffer: Bool) async throws {
        try await TransferBench.run { bench in
            for form in try Self.forms {
                let count = form.packed.count
                // In the middle, behind the header, in the sums at the end, and before the first byte.
                for left in [count / 4, 10, count - 1, count - 4, count - 8, 1, 0] where left >= 0 {
                    for framing in [OriginAnswer.Framing.contentLength, .chunked, .untilClose] {
                        if left == 0, case .contentLength = framing { continue }
                        let body = Array(form.packed.prefix(left))
                        bench.origin.serve("/a.png") { _ in answer(body, form.coding).framed(framing) }
                        let end = try await bench.fetch("/a.png", mayBuffer: mayBuffer).end
                        #expect(
                            end?.isTransient == true && end?.code == .incompleteCoding,
                            "\(left) of \(count) bytes, \(form), \(framing): \(String(describing: end))"
                        )
                    }
                }
            }
        }
    }

    @Test("and is cut off in its framing is cut off, as any other")
    func truncated() async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip(Self.bytes)
            bench.origin.serve("/a.png") { _ in answer(packed, "gzip").cut(after: 20_000) }
            #expect(try await bench.fetch("/a.png").end?.code == .truncated)
        }
    }

    @Test("of two members of gzip is one file, and one that breaks off in the second is none")
    func members() async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip(Self.bytes)
            bench.origin.serve("/two.png") { _ in answer(packed + packed, "gzip") }
            let running = try bench.fetch("/two.png")
            #expect(await running.end == .completed(length: Int64(2 * Self.bytes.count), lengthProven: true))
            #expect(running.partial == Self.bytes + Self.bytes)
            bench.origin.serve("/cut.png") { _ in answer(packed + packed.dropLast(5), "gzip") }
            #expect(try await bench.fetch("/cut.png").end?.code == .incompleteCoding)
        }
    }

    @Test("and is damaged on the way is tried again, and stored by no means")
    func damaged() async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip(Self.bytes)
            var wrongSum = packed
            wrongSum[packed.count - 6] ^= 1
            for body in [wrongSum, Array(packed.dropLast(100)) + Array("<p>502 Bad Gateway".utf8)] {
                bench.origin.serve("/a.png") { _ in answer(body, "gzip").framed(.chunked) }
                let end = try await bench.fetch("/a.png").end
                #expect(end?.isTransient == true && end?.code == .incompleteCoding)
            }
        }
    }

    @Test(
        "in ways whose end nobody here can tell is refused, whole or not",
        arguments: ["br", "zstd", "compress"]
    )
    func unknown(coding: String) async throws {
        try await TransferBench.run { bench in
            for body in [[0x28, 0xB5, 0x2F, 0xFD], []] as [[UInt8]] {
                bench.origin.serve("/a.png") { _ in answer(body, coding) }
                let running = try bench.fetch("/a.png")
                guard case .refused(let failure)? = await running.end else {
                    Issue.record("it wasn't refused")
                    continue
                }
                #expect(
                    failure.code == .protocolError && failure.message.contains("Content-Encoding \(coding)")
                )
                #expect(running.partial.isEmpty)
            }
        }
    }

    @Test("and is empty is told as such where the server says that it has no byte")
    func empty() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.png") { _ in answer([], "gzip") }
            let said = try bench.fetch("/a.png")
            #expect(await said.end?.code == .empty)
            bench.origin.serve("/b.png") { _ in answer([], "gzip").framed(.chunked) }
            let unsaid = try bench.fetch("/b.png")
            #expect(await unsaid.end?.code == .incompleteCoding)
        }
    }

    @Test("in place of the rest of a partial, or of another version, replaces it only when it is whole")
    func resumed() async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip(Self.bytes)
            let point = ResumePoint(offset: 5, total: nil, validator: .entityTag("\"v1\""))
            bench.origin.serve("/a.png") { request in
                answer(request.index == 0 ? Array(packed.dropLast(3)) : packed, "gzip")
            }
            let first = try bench.fetch("/a.png", resume: point, partial: [1, 2, 3, 4, 5])
            #expect(await first.end?.code == .incompleteCoding)
            let second = try bench.fetch("/a.png", resume: point, partial: [1, 2, 3, 4, 5])
            #expect(await second.end == .completed(length: Int64(Self.bytes.count), lengthProven: true))
            #expect(second.partial == Self.bytes)
        }
    }

    @Test("is bounded by what comes out, and not by what comes in")
    func bomb() async throws {
        try await TransferBench.run {
            $0.policy.maximumLength = 5_000_000
        } _: { bench in
            let packed = try Compressed.gzip([UInt8](repeating: 0, count: 40_000_000))
            bench.origin.serve("/a.png") { _ in answer(packed, "gzip") }
            let running = try bench.fetch("/a.png")
            guard case .refused(let failure)? = await running.end else {
                Issue.record("it wasn't refused")
                return
            }
            #expect(failure.code == .tooLarge)
            #expect(running.partial.count <= 5_000_000)
        }
    }

    @Test("and holds very much comes whole, in turns that others have theirs between")
    func large() async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip([UInt8](repeating: 5, count: 30_000_000))
            for framing in [OriginAnswer.Framing.contentLength, .chunked, .untilClose] {
                bench.origin.serve("/a.png") { _ in answer(packed, "gzip").framed(framing) }
                let running = try bench.fetch("/a.png", mayBuffer: true)
                guard case .completed(30_000_000, _)? = await running.end else {
                    Issue.record("\(framing): \(String(describing: await running.end))")
                    continue
                }
                #expect(running.partial.count == 30_000_000 && running.partial.allSatisfy { $0 == 5 })
            }
        }
    }

    @Test("is stopped in the middle, and begun anew")
    func stopped() async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip(Self.bytes)
            let gate = OriginGate()
            bench.origin.serve("/a.png") { request in
                request.index == 0
                    ? answer(packed, "gzip").held(beforeByte: 30_000, by: gate) : answer(packed, "gzip")
            }
            let running = try bench.fetch("/a.png")
            await running.progress(of: 10_000)
            running.stop()
            #expect(await running.end == .stopped)
            gate.open()
            let second = try bench.fetch("/a.png")
            #expect(await second.end == .completed(length: Int64(Self.bytes.count), lengthProven: true))
            #expect(second.partial == Self.bytes)
        }
    }

    // MARK: - On its way

    private func chunked(_ body: [UInt8], _ coding: String, fields: String = "") -> OriginAnswer {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\(fields)Transfer-Encoding: \(coding)\r\n\r\n"
        let size = String(body.count, radix: 16)
        return .garbage(Array((head + size + "\r\n").utf8) + body + Array("\r\n0\r\n\r\n".utf8))
    }

    @Test("on its way is the file itself if it is whole; newer versions of libcurl let none of these through")
    func transferCoding() async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip(Self.bytes)
            bench.origin.serve("/a.png") { _ in chunked(packed, "gzip, chunked") }
            let running = try bench.fetch("/a.png")
            let end = await running.end
            if end?.isRefusal == true {
                #expect(end?.code == .protocolError)
            } else {
                #expect(end == .completed(length: Int64(Self.bytes.count), lengthProven: true))
                #expect(running.partial == Self.bytes)
                #expect(running.start?.validator == nil)
            }
            for left in [packed.count / 4, packed.count - 1, 10, 0] {
                bench.origin.serve("/cut.png") { _ in
                    left == 0
                        ? .garbage(
                            Array(
                                ("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"
                                    + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n").utf8
                            )
                        ) : chunked(Array(packed.prefix(left)), "gzip, chunked")
                }
                let code = try await bench.fetch("/cut.png").end?.code
                #expect(code == .incompleteCoding || code == .protocolError, "\(left) bytes")
            }
        }
    }

    @Test(
        "on its way in an order that makes no sense, or unknown ways, is refused",
        arguments: ["chunked, gzip", "foo, chunked", "br, chunked", "gzip, gzip, gzip, chunked"]
    )
    func badTransferCoding(field: String) async throws {
        try await TransferBench.run { bench in
            let packed = try Compressed.gzip(Self.bytes)
            bench.origin.serve("/a.png") { _ in chunked(packed, field) }
            let end = try #require(try await bench.fetch("/a.png").end)
            #expect(end.isRefusal && end.code == .protocolError)
        }
    }

    @Test("on its way never goes on a partial")
    func resumedTransferCoding() async throws {
        try await TransferBench.run { bench in
            let rest = try Compressed.gzip(Array(Self.bytes[1000...]))
            let head =
                "HTTP/1.1 206 Part\r\nContent-Type: image/png\r\nETag: \"v1\"\r\n"
                + "Content-Range: bytes 1000-\(Self.bytes.count - 1)/\(Self.bytes.count)\r\n"
                + "Transfer-Encoding: gzip, chunked\r\n\r\n\(String(rest.count, radix: 16))\r\n"
            bench.origin.serve("/a.png") { _ in
                .garbage(Array(head.utf8) + rest + Array("\r\n0\r\n\r\n".utf8))
            }
            let point = ResumePoint(offset: 1000, total: nil, validator: .entityTag("\"v1\""))
            let running = try bench.fetch("/a.png", resume: point, partial: Array(Self.bytes[..<1000]))
            let end = await running.end
            #expect(end?.isMustRestart == true || end?.isRefusal == true)
            #expect(running.partial == Array(Self.bytes[..<1000]))
        }
    }
}
