import Digests
import FleetCore
import Foundation
import SmallFiles
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// Documents that go into a bucket, at a strict server and at moto's.
@Suite(.ownThread, .enabled(if: RunningBucket.python != nil, "needs moto: run scripts/install-moto"))
struct BucketClientTests {
    private static func sha256(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }

    /// A document of a test, and its upload.
    private struct Document {
        let bytes: [UInt8]
        let path: String
        let sha256: String
        var key: String { "sha256/\(sha256).jpg" }

        init(_ bytes: [UInt8], in directory: TemporaryDirectory) throws {
            (self.bytes, path) = (bytes, try directory.write(bytes, to: "a.jpg"))
            sha256 = BucketClientTests.sha256(bytes)
        }

        func upload(
            to settings: BucketSettings,
            partLength: Int64 = BucketClient.partLength
        ) throws(UploadFailure) {
            guard let client = BucketClient(settings, isStopped: { false }) else { throw .trouble("memory") }
            try client.upload(
                InnerPath(path),
                length: Int64(bytes.count),
                sha256: sha256,
                key: key,
                partLength: partLength
            )
        }
    }

    @Test(
        "A document is there once, with its hash, however often it is uploaded",
        arguments: [0, 1, 3_000_000]
    )
    func once(length: Int) async throws {
        let bucket = try await RunningBucket()
        let document = try Document(OriginContent.bytes(seed: 1, count: length), in: bucket.directory)
        for _ in 1...2 { try document.upload(to: bucket.settings()) }
        let contents = try bucket.contents()
        #expect(contents.objects == [document.key: .init(sha256: document.sha256, length: length)])
        #expect(contents.refusals.isEmpty, "\(contents.refusals)")
    }

    @Test("A large document comes in parts, is there whole, and no second time")
    func parts() async throws {
        let bucket = try await RunningBucket()
        let document = try Document(OriginContent.bytes(seed: 2, count: 2_500_001), in: bucket.directory)
        for _ in 1...2 { try document.upload(to: bucket.settings(), partLength: 1_000_000) }
        let contents = try bucket.contents()
        #expect(contents.objects == [document.key: .init(sha256: nil, length: 2_500_001)])
        #expect(contents.uploads.isEmpty && contents.refusals.isEmpty, "\(contents)")
        #expect(contents.requests == ["POST": 4, "PUT": 6, "DELETE": 1])
    }

    @Test("A part that fails is sent again; an upload that fails is ended, and leaves nothing")
    func brokenParts() async throws {
        let bucket = try await RunningBucket()
        let document = try Document(OriginContent.bytes(seed: 3, count: 2_500_001), in: bucket.directory)
        let part = #"{"method":"PUT","step":"partNumber","status":500,"code":"InternalError"}"#
        let broken = part.replacingOccurrences(of: "500", with: "0")
        try bucket.fail("[\(part),\(broken)]")
        try document.upload(to: bucket.settings(), partLength: 1_000_000)
        #expect(try bucket.contents().objects.count == 1)
        let other = try Document(OriginContent.bytes(seed: 4, count: 2_500_001), in: bucket.directory)
        try bucket.fail("[\(part),\(part),\(part)]")
        #expect(throws: UploadFailure.trouble("the bucket's server takes no document: InternalError")) {
            try other.upload(to: bucket.settings(), partLength: 1_000_000)
        }
        let contents = try bucket.contents()
        #expect(contents.uploads.isEmpty && contents.objects.count == 1)
    }

    @Test("An upload that isn't completed although the status says so is not taken for one")
    func falseCompletion() async throws {
        let bucket = try await RunningBucket()
        let document = try Document(OriginContent.bytes(seed: 5, count: 1_500_001), in: bucket.directory)
        try bucket.fail(#"[{"method":"POST","step":"uploadId","status":200,"code":"InternalError"}]"#)
        #expect(throws: UploadFailure.trouble("the bucket's server takes no document: InternalError")) {
            try document.upload(to: bucket.settings(), partLength: 1_000_000)
        }
        #expect(try bucket.contents().objects.isEmpty)
    }

    @Test(
        "A server that knows no conditions gets none",
        arguments: [Int64(1_000_000), BucketClient.partLength]
    )
    func unconditional(partLength: Int64) async throws {
        let bucket = try await RunningBucket()
        let document = try Document(OriginContent.bytes(seed: 6, count: 1_500_001), in: bucket.directory)
        let (method, step) = partLength == 1_000_000 ? ("POST", "uploadId") : ("PUT", "")
        try bucket.fail(
            "[{\"method\":\"\(method)\",\"step\":\"\(step)\",\"status\":501,\"code\":\"NotImplemented\"}]"
        )
        try document.upload(to: bucket.settings(), partLength: partLength)
        #expect(try bucket.contents().objects.count == 1)
    }

    @Test("A file that is no longer what was stored is not uploaded", arguments: [Int64(10), 1_000_000])
    func changed(partLength: Int64) async throws {
        let bucket = try await RunningBucket()
        let document = try Document(Array("as it was stored".utf8), in: bucket.directory)
        for text in ["as it is changed", "shorter", "longer than what was stored"] {
            try bucket.directory.write(Array(text.utf8), to: "a.jpg")
            #expect(throws: UploadFailure.changed) {
                try document.upload(to: bucket.settings(), partLength: partLength)
            }
        }
        try FileManager.default.removeItem(atPath: document.path)
        #expect(throws: UploadFailure.changed) { try document.upload(to: bucket.settings()) }
        try FileManager.default.createSymbolicLink(atPath: document.path, withDestinationPath: "/etc/passwd")
        #expect(throws: UploadFailure.changed) { try document.upload(to: bucket.settings()) }
        let contents = try bucket.contents()
        #expect(contents.objects.isEmpty && contents.uploads.isEmpty)
    }

    @Test("What is wrong is said in a sentence, with what to do")
    func troubles() async throws {
        let bucket = try await RunningBucket()
        let document = try Document([1, 2, 3], in: bucket.directory)
        func reason(_ settings: BucketSettings) -> String {
            do throws(UploadFailure) {
                try document.upload(to: settings)
                return "uploaded"
            } catch {
                guard case .trouble(let words) = error else { return "changed" }
                return words
            }
        }
        let begin = "the bucket's server takes no document: "
        #expect(
            try reason(bucket.settings(secret: "x")) == begin + "SignatureDoesNotMatch; check s3-credentials"
        )
        #expect(try reason(bucket.settings(id: "x")) == begin + "InvalidAccessKeyId; check s3-credentials")
        #expect(try reason(bucket.settings(bucket: "none")) == begin + "NoSuchBucket; check s3-bucket")
        #expect(
            try reason(bucket.settings(region: "us-east-1")) == begin
                + "AuthorizationHeaderMalformed; the bucket is in the region eu-central-1: check s3-region"
        )
        try bucket.fail(#"[{"method":"PUT","status":503,"code":"SlowDown"},{"method":"PUT","status":0}]"#)
        #expect(try reason(bucket.settings()) == begin + "SlowDown")
        #expect(try reason(bucket.settings()).hasPrefix("the bucket's server can't be reached: "))
        #expect(try reason(bucket.settings()) == "uploaded")
    }

    @Test("moto's server takes documents, in parts and whole, and has them once")
    func moto() async throws {
        let bucket = try await RunningBucket(moto: true)
        let document = try Document(OriginContent.bytes(seed: 7, count: 6_000_001), in: bucket.directory)
        // S3's parts have 5 MiB at the least, but for the last.
        for partLength in [5 << 20, 5 << 20, BucketClient.partLength] {
            try document.upload(to: bucket.settings(), partLength: partLength)
        }
    }

    @Test("Threads upload what they are given, and end when they are told to")
    func uploader() async throws {
        let bucket = try await RunningBucket()
        var settings = try bucket.settings()
        settings.uploads = 3
        let uploader = Uploader(settings)
        var endings: [FleetEnding] = []
        for number in 1...20 as ClosedRange<Int64> {
            let bytes = OriginContent.bytes(seed: UInt64(number), count: 1000)
            var ending = FleetEnding(
                job: FleetJob(fleet: "f1", job: number, token: 1),
                local: number,
                state: .done
            )
            ending.path = try bucket.directory.write(bytes, to: "\(number).jpg")
            (ending.bytes, ending.sha256) = (1000, Self.sha256(bytes))
            endings.append(ending)
        }
        endings[4].sha256 = Self.sha256([])
        uploader.add(endings.map { ($0, "key-\($0.local)") })
        var results: [Uploader.Result] = []
        while results.count < 20 {
            results += uploader.drain()
            await Task.yield()
        }
        #expect(results.count { $0.upload == .stored } == 19)
        #expect(results.filter { $0.upload == .changed }.map(\.ending.local) == [5])
        #expect(try bucket.contents().objects.count == 19)
        uploader.stop()
    }
}
