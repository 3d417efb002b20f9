import CurlTransfer
import Foundation
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

/// Skipped where nginx isn't installed.
@Suite("Against nginx", .timeLimit(.minutes(1)), .enabled(if: NginxServer.executable != nil), .ownThread)
struct NginxTests {
    private let bytes = OriginContent.bytes(seed: 61, count: 3_000_000)

    /// Fetches a file at a limited rate, and stops after its first part.
    private func firstPart(of url: JobURL, on bench: TransferBench) async throws -> (ResumePoint, [UInt8]) {
        let running = try bench.fetch(url)
        await running.progress(of: 1)
        running.stop()
        #expect(await running.end == .stopped)
        let start = try #require(running.start)
        let partial = running.partial
        #expect((1..<3_000_000).contains(partial.count))
        let validator = try #require(start.validator)
        return (ResumePoint(offset: Int64(partial.count), total: start.total, validator: validator), partial)
    }

    @Test("a stopped transfer goes on from its last byte, by tag or by date", arguments: [true, false])
    func resumes(hasTags: Bool) async throws {
        let slow = try NginxServer.start(location: "limit_rate 300k; etag \(hasTags ? "on" : "off");")
        let fast = try NginxServer.start(location: "etag \(hasTags ? "on" : "off");")
        defer {
            slow.stop()
            fast.stop()
        }
        try slow.serve(bytes, at: "a.jpg")
        try fast.serve(bytes, at: "a.jpg")
        try await TransferBench.run { bench in
            let (point, partial) = try await firstPart(of: JobURL(slow.url("/a.jpg")), on: bench)
            #expect(point.total == 3_000_000)
            switch point.validator {
            case .entityTag: #expect(hasTags)
            case .lastModified: #expect(!hasTags)
            }
            // nginx makes its tag from length and date: the other server has the same file.
            let rest = try bench.fetch(JobURL(fast.url("/a.jpg")), resume: point, partial: partial)
            #expect(await rest.end == .completed(length: 3_000_000, lengthProven: true))
            #expect(rest.start?.mode == .resumed)
            #expect(rest.start?.offset == point.offset)
            #expect(rest.partial == bytes)
        }
    }

    @Test("a file that changed meanwhile comes from its first byte", arguments: [true, false])
    func restarts(hasTags: Bool) async throws {
        let server = try NginxServer.start(
            location: "limit_rate_after 200k; limit_rate 300k; etag \(hasTags ? "on" : "off");"
        )
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try await TransferBench.run { bench in
            let (point, partial) = try await firstPart(of: JobURL(server.url("/a.jpg")), on: bench)
            let changed = OriginContent.bytes(seed: 62, count: 150_000)
            try server.serve(changed, at: "a.jpg", modified: Date(timeIntervalSince1970: 1_700_000_001))
            let running = try bench.fetch(JobURL(server.url("/a.jpg")), resume: point, partial: partial)
            #expect(await running.end == .completed(length: 150_000, lengthProven: true))
            guard case .restarted = try #require(running.start).mode else {
                Issue.record("a changed file restarts")
                return
            }
            #expect(running.partial == changed)
        }
    }

    @Test("a partial longer than the file is given up")
    func beyondTheEnd() async throws {
        let server = try NginxServer.start()
        defer { server.stop() }
        try server.serve(Array(bytes[..<1000]), at: "a.jpg")
        try await TransferBench.run { bench in
            let whole = try bench.fetch(JobURL(server.url("/a.jpg")))
            _ = await whole.end
            let validator = try #require(whole.start?.validator)
            let point = ResumePoint(offset: 2000, total: 3000, validator: validator)
            let running = try bench.fetch(
                JobURL(server.url("/a.jpg")),
                resume: point,
                partial: Array(bytes[..<2000])
            )
            #expect(await running.end?.isMustRestart == true)
        }
    }

    @Test("a hundred small files share few connections")
    func manyFiles() async throws {
        let server = try NginxServer.start()
        defer { server.stop() }
        for index in 0..<100 {
            try server.serve(Array(bytes[index..<(index * 300 + 5000)]), at: "\(index).jpg")
        }
        try await TransferBench.run { bench in
            let all = try (0..<100).map { try bench.fetch(JobURL(server.url("/\($0).jpg"))) }
            for (index, running) in all.enumerated() {
                _ = await running.end
                #expect(running.partial == Array(bytes[index..<(index * 300 + 5000)]))
            }
        }
    }
}
