import Foundation
import TestSupport
import Testing

/// A URL that expired in mid-download is replaced by another.
@Suite(.timeLimit(.minutes(2)))
struct ExpiredURLTests {
    private static let count = 1_000_000
    private static let held = 400_000

    /// Downloads until the URL expires, then has the job go on from a new one that `file` is behind.
    private func replace(by file: OriginFile) async throws -> (log: [String], request: OriginRequest) {
        let origin = try Origin.start()
        defer { origin.stop() }
        let expired = OriginFile(seed: 9, count: Self.count)
        origin.serve("/old/a.jpg") { request in
            request.index == 0 ? expired.answer(to: request).cut(after: Self.held) : OriginAnswer(403)
        }
        origin.serve("/new/a.jpg", file)
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let ended = try await installation.facefetch("add", "--wait", origin.url("/old/a.jpg"))
        #expect(ended.status == 1)
        let shown = try await installation.facefetch("show", "j1")
        #expect(shown.output.contains("http_403"), "\(shown.output)")
        let retried = try await installation.facefetch("retry", "j1", "--url", origin.url("/new/a.jpg"))
        #expect(retried.status == 0)
        #expect(await daemon.errorLine(containing: "face detection in \"a.jpg\": ") != nil)
        #expect(await daemon.stop() == 0)
        let isSame = try installation.document("a.jpg") == file.bytes
        #expect(isSame)
        return (try installation.eventLog(), try #require(origin.requests("/new/a.jpg").first))
    }

    @Test("Where the new URL leads to the same file, what was fetched is kept")
    func sameFile() async throws {
        let (log, request) = try await replace(by: OriginFile(seed: 9, count: Self.count))
        #expect(request.header("range") == "bytes=\(Self.held)-")
        #expect(request.header("if-range") == "\"v1\"")
        let resumed = "resumed download of \"a.jpg\" at byte \(Self.held) of \(Self.count)"
        #expect(log.filter { $0.hasSuffix(resumed) }.count == 1)
        #expect(log.filter { $0.contains("restarted download") }.isEmpty)
    }

    @Test("Where it leads to another, that is fetched from zero, and the log says so")
    func otherFile() async throws {
        let (log, _) = try await replace(by: OriginFile(seed: 10, count: Self.count, entityTag: "\"v2\""))
        #expect(log.filter { $0.contains("restarted download of \"a.jpg\" from zero: ") }.count == 1)
        #expect(log.filter { $0.contains("resumed download") }.isEmpty)
    }
}
