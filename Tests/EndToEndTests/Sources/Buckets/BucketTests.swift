import ControlAPI
import Foundation
import TestSupport
import Testing
import Vocabulary

/// Buckets behind a server that checks each signature as S3 does.
struct BucketTests {
    /// A source of a bucket, and what is to come of it.
    private struct Case {
        var name: String
        var bucket: Bucket
        var settings: String
        /// The error's code and words of its sentence; nil where everything is fetched.
        var trouble: (code: String, words: String)?
        /// Refusals that are expected.
        var refusals = 0
    }

    private static let keys = SignatureKeys(id: "AKID", secret: "s3cr/et+of=it")
    private static let objects = Dictionary(
        uniqueKeysWithValues: (BucketReplica.names + ["empty"]).map {
            ($0, $0 == "empty" ? [] : Array($0.utf8))
        }
    )

    private static func bucket(
        _ name: String,
        region: String = "us-east-1",
        keys: SignatureKeys? = keys
    ) -> Bucket {
        Bucket(name, region: region, keys: keys, objects: objects, pageSize: 4)
    }

    private static func cases(_ origin: Origin) -> [Case] {
        let server = origin.url("")
        let named = "http://s3.localhost:\(origin.port)"
        return [
            Case(
                name: "anonymous",
                bucket: bucket("anonymous", keys: nil),
                settings: "endpoint: '\(server)'"
            ),
            Case(
                name: "pathed",
                bucket: bucket("pathed"),
                settings: "endpoint: '\(server)', credentials: {secret: good}"
            ),
            Case(
                name: "hosted",
                bucket: bucket("hosted"),
                settings: "endpoint: '\(named)', style: host, credentials: {secret: good}"
            ),
            Case(
                name: "dotted",
                bucket: bucket("dotted.bucket"),
                settings: "endpoint: '\(server)', credentials: {secret: good, profile: other}"
            ),
            // The first request names the region, all others are signed for it.
            Case(
                name: "abroad",
                bucket: bucket("abroad", region: "ap-south-1"),
                settings: "endpoint: '\(server)', credentials: {secret: good}",
                refusals: 1
            ),
            Case(
                name: "secret",
                bucket: bucket("secret"),
                settings: "endpoint: '\(server)'",
                trouble: ("unauthorized", "AccessDenied"),
                refusals: 1
            ),
            Case(
                name: "wrong",
                bucket: bucket("wrong"),
                settings: "endpoint: '\(server)', credentials: {secret: bad}",
                trouble: ("unauthorized", "SignatureDoesNotMatch"),
                refusals: 1
            ),
            Case(
                name: "expired",
                bucket: bucket("expired"),
                settings: "endpoint: '\(server)', credentials: {secret: stale}",
                trouble: ("unauthorized", "renew the source's secret"),
                refusals: 1
            ),
        ]
    }

    @Test("Buckets are listed and fetched in each style, signed or not; the region is corrected once")
    func styles() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let cases = Self.cases(origin)
        let buckets = cases.map(\.bucket)
        // One object is elsewhere, where no signature may go.
        let other = try Origin.start()
        defer { other.stop() }
        other.serve("/plain.jpg", OriginFile(Array("plain.jpg".utf8)))
        origin.serve("/pathed/plain.jpg") { _ in .redirect(other.url("/plain.jpg"), status: 307) }
        origin.serveOthers { request in
            let host = request.header("host") ?? ""
            let bucket = buckets.first {
                host.hasPrefix($0.name + ".") || request.path.hasPrefix("/\($0.name)/")
            }
            return bucket?.answer(to: request) ?? OriginAnswer(404)
        }
        let installation = try Installation()
        let folder = try installation.directory.directory("secrets")
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        try write("good", Self.keys.file + Self.keys.file.replacing("[default]", with: "[other]"))
        try write("bad", SignatureKeys(id: "AKID", secret: "another").file)
        try write("stale", SignatureKeys(id: "AKID", secret: Self.keys.secret, token: "old").file)
        let more = ["FACEFETCH_SECRETS_DIRECTORY": folder, "FACEFETCH_TRANSFER_PER_HOST": "32"]
        let daemon = try await installation.startDaemon(environment: Installation.plain.merging(more) { $1 })
        for one in cases {
            let recipe =
                "{name: \(one.name), kind: s3, url: 's3://\(one.bucket.name)/', s3: {\(one.settings)}, every: never}"
            let added = try await installation.addSource(recipe, one.name)
            #expect(added.status == 0, "\(one.name): \(added.errors)")
        }
        for one in cases {
            let over: [APIWord<SourceCondition>] = [.ended, .failed, .waiting].map { .known($0) }
            let source = try #require(
                try await installation.source(one.name) { over.contains($0.state.code) }
            )
            #expect(
                source.lastError?.code == one.trouble?.code,
                "\(one.name): \(source.lastError?.message ?? "")"
            )
            #expect(
                source.state.reason?.contains(one.trouble?.words ?? "") ?? (one.trouble == nil),
                "\(one.name): \(source.state)"
            )
            if one.trouble == nil { #expect(source.new == Self.objects.count - 1, "\(one.name)") }
        }
        let jobs = try await installation.settledJobs()
        for one in cases where one.trouble == nil {
            let own = jobs.filter { $0.source == one.name }
            #expect(Set(own.compactMap { $0.itemKey?.prefix { $0 != "@" } }).count > 0)
            for job in own {
                let key = String(
                    (job.itemKey ?? "").prefix(upTo: job.itemKey?.lastIndex(of: "@") ?? "".startIndex)
                )
                let bytes = job.path.flatMap { FileManager.default.contents(atPath: $0) }
                #expect(
                    bytes.map(Array.init) == Self.objects[key],
                    "\(one.name): \(key): \(job.error?.message ?? "")"
                )
            }
        }
        for one in cases {
            #expect(one.bucket.refusals.count == one.refusals, "\(one.name): \(one.bucket.refusals)")
        }
        #expect(other.requests.count == 1)
        for request in other.requests {
            let own = request.headers.keys.filter { $0.hasPrefix("x-amz-") || $0 == "authorization" }
            #expect(own.isEmpty, "\(request)")
        }
        #expect(await daemon.stop() == 0)
    }
}
