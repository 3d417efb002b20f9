import Foundation
import TestSupport
import Testing

/// Tests of what servers, and proxies on the way, do to bodies and heads, and what becomes of it in the
/// documents directory.
struct HostileBodyTests {
    private func documents(of installation: Installation) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
        return names.filter { !$0.hasPrefix(".") }
    }

    @Test("A compressed body that always breaks off is tried again, fails in the end, and is no document")
    func brokenOff() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginContent.bytes(seed: 5, count: 60_000)
        let packed = try Compressed.gzip(file)
        let fields = [("Content-Type", "image/jpeg"), ("Content-Encoding", "gzip"), ("ETag", "\"v1\"")]
        for (number, body) in [packed.prefix(20_000), packed.prefix(10), packed.dropLast(1)].enumerated() {
            for framing in [OriginAnswer.Framing.contentLength, .chunked] {
                let path = if case .chunked = framing { "/chunked-\(number).jpg" } else { "/\(number).jpg" }
                origin.serve(path) { _ in OriginAnswer(200, fields, body: Array(body)).framed(framing) }
            }
        }
        origin.serve("/whole.jpg") { _ in OriginAnswer(200, fields, body: packed + packed) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_TRANSFER_TRIES": "2"])
        let paths = (0..<3).flatMap { ["/\($0).jpg", "/chunked-\($0).jpg"] }
        let urls = (paths + ["/whole.jpg"]).map { origin.url($0) }
        let list = try installation.directory.write(Array(urls.joined(separator: "\n").utf8), to: "list")
        let added = try await installation.facefetch("add", "--wait", "--json", "--from", list)
        let jobs = try installation.jobs(added)
        #expect(jobs.count == urls.count)
        for job in jobs where !job.url.hasSuffix("whole.jpg") {
            #expect(job.error?.code == "incomplete_coding", "\(job.url): \(job.state.text)")
        }
        for path in paths { #expect(origin.requests(path).count >= 2, "\(path)") }
        #expect(try documents(of: installation) == ["whole.jpg"])
        #expect(try installation.document("whole.jpg") == file + file)
        #expect(await daemon.stop() == 0)
    }

    @Test("An error or a login page whose head has a field like a status line is no document")
    func fieldLikeStatusLine() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let end = "HTTP/1.1 200 OK: x\r\nContent-Length: 9\r\n\r\n<p>login\n"
        origin.serve("/missing.jpg") { _ in .garbage(Array("HTTP/1.1 404 Not Found\r\n\(end)".utf8)) }
        origin.serve("/login.jpg") { _ in
            .garbage(Array("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\(end)".utf8))
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let urls = ["/missing.jpg", "/login.jpg"].map { origin.url($0) }
        let added = try await installation.facefetch("add", "--wait", "--json", urls[0], urls[1])
        let codes = try installation.jobs(added).map { $0.error?.code }
        #expect(codes == ["http_404", "unexpected_content_type"])
        #expect(try documents(of: installation).isEmpty)
        #expect(await daemon.stop() == 0)
    }
}
