import TestSupport
import Testing

@testable import CurlTransfer

@Suite("A page whose server writes strange heads", .timeLimit(.minutes(1)))
struct PageBodyTests {
    @Test(
        "takes no field for a status line, undoes gzip on its way, and refuses what is coded otherwise there"
    )
    func states() async throws {
        let bench = try PageBench()
        let packed = try Compressed.gzip(Array("{}".utf8))
        func serve(_ head: String, _ body: [UInt8]) {
            bench.origin.serve("/list") { _ in .garbage(Array((head + "\r\n\r\n").utf8) + body) }
        }
        serve("HTTP/1.1 404 Not Found\r\nHTTP/1.1 200 OK: x\r\nContent-Length: 2", Array("{}".utf8))
        #expect(try await bench.fetcher.fetch(try bench.request("/list")).get().status == 404)
        serve("HTTP/1.1 429\r\nContent-Length: 2", Array("{}".utf8))
        #expect(try await bench.fetcher.fetch(try bench.request("/list")).get().status == 429)
        // Newer versions of libcurl refuse all of these themselves.
        serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip", packed)
        if let answer = try? await bench.fetcher.fetch(try bench.request("/list")).get() {
            #expect(answer.length == 2)
            #expect(try bench.folder.read("page") == Array("{}".utf8))
        }
        for (coding, body) in [
            ("gzip", packed.dropLast(2)), ("br", packed[...]), ("gzip, gzip", packed[...]),
        ] {
            serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)", Array(body))
            guard case .failure(.connection) = await bench.fetcher.fetch(try bench.request("/list")) else {
                Issue.record("\(coding)")
                continue
            }
        }
    }
}
