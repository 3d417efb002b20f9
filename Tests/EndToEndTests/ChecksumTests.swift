import ControlAPI
import Digests
import Foundation
import TestSupport
import Testing

/// A file whose SHA-256 is known beforehand: nothing else is published in its place.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ChecksumTests {
    /// The second is so large that without a sum to compare it may be hashed after publishing.
    static let lengths = [5000, 21 << 20]

    private static func sum(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(data: bytes)
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory)
    }

    private func add(
        _ url: String,
        expecting sum: String,
        to installation: Installation
    ) async throws -> Program.Result {
        try await installation.facefetch("add", "--wait", "--json", "--sha256", sum, url)
    }

    @Test("A file with the expected sum is published, and its job has that sum", arguments: lengths)
    func expected(length: Int) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 31, count: length)
        origin.serve("/a.jpg", file)
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let sum = Self.sum(file.bytes)
        let added = try await add(origin.url("/a.jpg"), expecting: sum, to: installation)
        #expect(added.status == 0, "\(added.errors)")
        let job = try #require(try installation.jobs(added).first)
        #expect(job.state == "done")
        #expect(job.sha256 == sum)
        #expect(job.expectedSHA256 == sum)
        #expect(await daemon.stop() == 0)
        #expect(try Self.names(in: installation.documents) == ["a.jpg"])
        let isWhole = try installation.document("a.jpg") == file.bytes
        #expect(isWhole)
    }

    @Test("A file with another sum fails, and leaves no document and no partial", arguments: lengths)
    func mismatch(length: Int) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 31, count: length)
        origin.serve("/a.jpg", file)
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        var almost = file.bytes
        almost[length - 1] ^= 1
        let expected = Self.sum(almost)
        let added = try await add(origin.url("/a.jpg"), expecting: expected, to: installation)
        #expect(added.status == 1)
        let job = try #require(try installation.jobs(added).first)
        #expect(job.state == "failed")
        #expect(job.error?.code == "checksum_mismatch")
        let message = job.error?.message ?? ""
        #expect(message.contains(expected) && message.contains(Self.sum(file.bytes)), "\(message)")
        #expect(job.path == nil)
        #expect(await daemon.stop() == 0)
        #expect(try Self.names(in: installation.documents) == [])
        #expect(try Self.names(in: installation.partials) == [])
        #expect(try !installation.eventLog().contains { $0.contains(" stored ") })
        #expect(origin.requests("/a.jpg").count == 1, "it is no use to fetch the same again")
    }
}
