import CCurl
import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("A server that misbehaves", .timeLimit(.minutes(1)))
struct MisbehavingServerTests {
    private let file = OriginFile(seed: 41, count: 100_000)

    // printf 'a picture' | gzip -n
    private let compressed: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x4b, 0x54, 0x28, 0xc8, 0x4c, 0x2e, 0x29,
        0x2d, 0x4a, 0x05, 0x00, 0xe8, 0x73, 0xd0, 0xdf, 0x09, 0x00, 0x00, 0x00,
    ]

    @Test("and compresses in spite of identity is undone: the file itself is stored, and can't be resumed")
    func compresses() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in
                OriginFile(compressed).whole.header("Content-Encoding", "gzip")
            }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 9, lengthProven: true))
            #expect(running.partial == Array("a picture".utf8))
            #expect(running.start?.validator == nil)
            #expect(running.start?.total == nil)
        }
    }

    @Test(
        "and names what is no coding has its body stored as it came, whole and in its rest",
        arguments: ["utf-8", "binary", "none", "7bit", "8bit", "aws-chunked", "", "UTF-8, x-own"]
    )
    func noCoding(field: String) async throws {
        try await TransferBench.run { bench in
            for framing in [OriginAnswer.Framing.contentLength, .chunked] {
                bench.origin.serve("/a.jpg") {
                    file.answer(to: $0).header("Content-Encoding", field).framed(framing)
                }
                let running = try bench.fetch("/a.jpg")
                #expect(await running.end == .completed(length: 100_000, lengthProven: true))
                #expect(running.partial == file.bytes)
                #expect(running.start?.validator == .entityTag("\"v1\""))
            }
            let point = ResumePoint(offset: 40_000, total: 100_000, validator: .entityTag("\"v1\""))
            let rest = try bench.fetch("/a.jpg", resume: point, partial: Array(file.bytes[..<40_000]))
            #expect(await rest.end == .completed(length: 100_000, lengthProven: true))
            #expect(rest.start?.mode == .resumed)
            #expect(rest.partial == file.bytes)
            // The handle that took one body as it came undoes the next.
            bench.origin.serve("/b.jpg") { _ in
                OriginFile(compressed).whole.header("Content-Encoding", "GZIP")
            }
            let next = try bench.fetch("/b.jpg")
            #expect(await next.end == .completed(length: 9, lengthProven: true))
            #expect(next.partial == Array("a picture".utf8))
        }
    }

    @Test(
        "and compresses what is no gzip, or by a way that nobody can undo, is refused",
        arguments: ["gzip", "compress", "exi", "zstd", "aws-chunked, gzip"]
    )
    func badEncoding(encoding: String) async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.header("Content-Encoding", encoding) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isRefusal)
            #expect(end.code == .protocolError)
        }
    }

    @Test("and sends a head without end is cut off", arguments: [OriginAnswer.EndlessHead.fields, .value])
    func endlessHead(_ head: OriginAnswer.EndlessHead) async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.endless(head) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.code == .protocolError)
        }
    }

    @Test(
        "and speaks no HTTP is refused",
        arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "\0\0\0\0\0\0\0\0\0\0\r\n\r\n"]
    )
    func garbage(_ text: String) async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in .garbage(Array(text.utf8)) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isRefusal)
            #expect(end.code == .protocolError)
        }
    }

    @Test("and names two lengths is refused")
    func twoLengths() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.header("Content-Length", "5") }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isRefusal)
            #expect(end.code == .protocolError)
        }
    }

    @Test("and sends more than it announced adds nothing to the file")
    func moreThanAnnounced() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.framed(.announced(60_000)) }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 60_000, lengthProven: true))
            #expect(running.partial == Array(file.bytes[..<60_000]))
        }
    }

    @Test("and sends a part longer than it says is not believed")
    func longPart() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in
                var answer = file.whole.framed(.chunked).header("Content-Range", "bytes 40000-99999/100000")
                answer.status = 206
                return answer
            }
            let point = ResumePoint(offset: 40_000, total: 100_000, validator: .entityTag("\"v1\""))
            let running = try bench.fetch("/a.jpg", resume: point, partial: Array(file.bytes[..<40_000]))
            #expect(await running.end?.isMustRestart == true)
        }
    }

    @Test("and sends interim responses first is understood all the same")
    func interim() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in
                .garbage(
                    Array(
                        ("HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\nContent-Type: text/html\r\n\r\n"
                            + "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\nabc")
                            .utf8
                    )
                )
            }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 3, lengthProven: true))
            #expect(running.start?.validator == nil)
        }
    }

    @Test("and writes a field that looks like a status line is believed in its first line only")
    func fieldLikeStatusLine() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/missing.jpg") { _ in
                Self.raw(["HTTP/1.1 404 Not Found", "HTTP/1.1 200 OK: x", "Content-Length: 5"])
            }
            let missing = try bench.fetch("/missing.jpg")
            #expect(await missing.end?.code == .http(404))
            bench.origin.serve("/login.jpg") { _ in
                Self.raw([
                    "HTTP/1.1 200 OK", "Content-Type: text/html", "HTTP/1.1 200 OK: x", "Content-Length: 5",
                ])
            }
            let login = try bench.fetch("/login.jpg")
            #expect(await login.end?.code == .unexpectedContentType)
            bench.origin.serve("/a.jpg") { _ in
                Self.raw(["HTTP/1.1 200 OK", "ETag: \"v1\"", "HTTP/2: 200 x"])
            }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 5, lengthProven: false))
            #expect(running.start?.validator == .entityTag("\"v1\""))
        }
    }

    @Test("and speaks of HTTP/2 in HTTP/1.1 is understood, but for newer libcurls, which say why not")
    func anotherVersion() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in Self.raw(["HTTP/2 200 OK", "ETag: \"v1\""]) }
            let running = try bench.fetch("/a.jpg")
            let end = await running.end
            if curl_version_info(CURLVERSION_FIRST).pointee.version_num < 0x08_0000 {
                #expect(end == .completed(length: 5, lengthProven: false))
                #expect(running.start?.validator == .entityTag("\"v1\""))
            } else {
                #expect(end?.code == .protocolError, "\(end as Any)")
                #expect("\(end as Any)".contains("HTTP/2"))
            }
        }
    }

    private static func raw(_ lines: [String]) -> OriginAnswer {
        .garbage(Array((lines.joined(separator: "\r\n") + "\r\n\r\nabcde").utf8))
    }

    @Test("and hides the field that frames the body in two lines is refused")
    func foldedFraming() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in
                .garbage(
                    Array(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n".utf8
                    )
                )
            }
            let running = try bench.fetch("/a.jpg")
            let end = try #require(await running.end)
            #expect(end.code == .protocolError)
            #expect(running.partial.isEmpty)
        }
    }

    @Test("and answers with a login page leaves no partial, and what is there alone")
    func loginPage() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in .loginPage }
            let fresh = try bench.fetch("/a.jpg")
            #expect(await fresh.end?.code == .unexpectedContentType)
            #expect(fresh.partial.isEmpty)
            let point = ResumePoint(offset: 5, total: 100_000, validator: .entityTag("\"v1\""))
            let resumed = try bench.fetch("/a.jpg", resume: point, partial: [1, 2, 3, 4, 5])
            let end = try #require(await resumed.end)
            // The file may be there again later.
            #expect(end.isTransient && end.code == .unexpectedContentType)
            #expect(resumed.partial == [1, 2, 3, 4, 5])
        }
    }

    @Test("and fails for now is to be asked again no earlier than it says")
    func retryAfter() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in OriginAnswer(503, [("Retry-After", "77")], body: [1, 2, 3]) }
            let running = try bench.fetch("/a.jpg")
            let host = try bench.origin.jobURL("/a.jpg").hostKey
            #expect(
                await running.end
                    == .hindered(
                        JobFailure(.http(503), "the server answered 503 Service Unavailable"),
                        by: .hostAsksToWait(host: host, seconds: 77)
                    )
            )
            #expect(running.partial.isEmpty)
        }
    }

    @Test("and doesn't have the file is refused, its page not stored")
    func missing() async throws {
        try await TransferBench.run { bench in
            let running = try bench.fetch("/nowhere.jpg")
            #expect(
                await running.end == .refused(JobFailure(.http(404), "the server answered 404 Not Found"))
            )
            let names = try bench.directory.names()
            #expect(names.isEmpty)
        }
    }
}
