import ControlAPI
import Foundation
import HTTPRequests
import TestSupport
import TestTraits
import Testing

/// Buckets of others' making: moto's server, and botocore's signatures.
@Suite(.ownThread) struct MotoTests {
    /// The Python that has both; `scripts/install-moto` makes it.
    private static let python: String? = {
        let path = Repository.path(".build/moto/bin/python")
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// 1,100 objects, which are more than a page of S3 has.
    private static let server = """
        import signal
        from moto.server import ThreadedMotoServer
        from moto.s3.models import s3_backends
        store = s3_backends["123456789012"]["aws"]
        store.create_bucket("photos", "us-east-1")
        for n in range(1100): store.put_object("photos", f"2026/{n:04} \\u00e9+(a=b).jpg", b"object %d" % n)
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        print("port", server.get_host_and_port()[1], flush=True)
        signal.pause()
        """

    @Test(
        "A bucket of moto's is listed to its end, over its pages, and its objects are fetched",
        .enabled(if: python != nil, "needs moto: run scripts/install-moto")
    )
    func moto() async throws {
        let server = try Program(try #require(Self.python), ["-W", "ignore", "-c", Self.server])
        defer { server.signal(SIGKILL) }
        let port = try #require(await server.outputLine(containing: "port ")?.split(separator: " ").last)
        let installation = try Installation()
        let folder = try installation.directory.directory("secrets")
        let keys = SignatureKeys(id: "AKID", secret: "secret").file
        try Data(keys.utf8).write(to: URL(filePath: folder + "/aws"))
        let more = ["FACEFETCH_SECRETS_DIRECTORY": folder]
        let daemon = try await installation.startDaemon(environment: Installation.plain.merging(more) { $1 })
        func recipe(_ name: String, _ bucket: String) -> String {
            "{name: \(name), kind: s3, url: 's3://\(bucket)/2026/', select: '.key | contains(\"99 \")', every: never, "
                + "s3: {endpoint: 'http://127.0.0.1:\(port)', credentials: {secret: aws}}}"
        }
        try await installation.addSource(recipe("moto", "photos"), "moto")
        try await installation.addSource(recipe("none", "nothing-here"), "none")
        let source = try #require(try await installation.source("moto") { $0.state.code == .ended })
        #expect(
            source.pages == 2 && source.items == 1100 && source.new == 11 && source.walk?.complete == true
        )
        let jobs = try await installation.settledJobs()
        #expect(jobs.count == 11)
        for (index, job) in jobs.enumerated() {
            let bytes = job.path.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
            #expect(String(decoding: bytes, as: UTF8.self) == "object \(index * 100 + 99)", "\(job.url)")
        }
        let none = try #require(try await installation.source("none") { $0.lastError != nil })
        #expect(none.state.reason?.contains("NoSuchBucket); check the source's url") == true, "\(none.state)")
        #expect(await daemon.stop() == 0)
    }

    /// A script that prints what botocore signs, as JSON Lines of target and headers.
    private static let signer = """
        import json
        from urllib.parse import quote
        from botocore.auth import S3SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        keys = ["plain.jpg", "a b+c=(1).jpg", "\\u00e9/\\u00fc//\\u00df.jpg", "../../up", "100%25", "~*'!@:,;$&?#[]"]
        targets = ["/photos/" + quote(key, "/~") for key in keys]
        targets.append("/photos/?continuation-token=1%2F%2B%3D&encoding-type=url&list-type=2&prefix=a%20b%2F")
        for target in targets:
            for token in (None, "to/ken+=="):
                request = AWSRequest("GET", "http://h:1" + target, headers={"Host": "h:1"})
                S3SigV4Auth(Credentials("AKID", "s3cr/et+", token), "s3", "garage").add_auth(request)
                print(json.dumps({"target": target, "headers": dict(request.headers), "token": token}))
        """

    private struct Signed: Decodable {
        var target: String
        var headers: [String: String]
        var token: String?

        /// The `Authorization` that our own signer makes for the same moment.
        func ours(_ signer: BucketSigner) -> String? {
            let format = ISO8601DateFormatter()
            format.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
            guard let time = headers["X-Amz-Date"].flatMap(format.date(from:)) else { return nil }
            let given = headers.filter { $0.key.lowercased().hasPrefix("x-amz-") && $0.key != "X-Amz-Date" }
            return signer.fields(
                signing: "GET",
                "http://h:1" + target,
                with: given.map { ($0.key, $0.value) },
                at: Int64(time.timeIntervalSince1970)
            ).first { $0.name == "Authorization" }?.value
        }

        var request: OriginRequest {
            OriginRequest(
                method: "GET",
                target: target,
                path: String(target.prefix { $0 != "?" }),
                headers: Dictionary(uniqueKeysWithValues: headers.map { ($0.key.lowercased(), $0.value) })
            )
        }
    }

    @Test(
        "Our signatures are botocore's, and the tests' own check takes them, and nothing that was changed since",
        .enabled(if: python != nil, "needs botocore: run scripts/install-moto")
    )
    func oracle() throws {
        let run = try Shell.run([try #require(Self.python), "-c", Self.signer])
        try #require(run.status == 0, "\(run.output)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 14)
        for line in lines {
            let signed = try JSONDecoder().decode(Signed.self, from: Data(line.utf8))
            func problem(
                secret: String = "s3cr/et+",
                region: String = "garage",
                _ change: (inout Signed) -> Void = { _ in }
            ) -> String? {
                var changed = signed
                change(&changed)
                let keys = SignatureKeys(id: "AKID", secret: secret, token: signed.token)
                return SignatureCheck(request: changed.request, keys: keys, region: region).problem(
                    now: Date()
                )?.code
            }
            #expect(problem() == nil, "\(line)")
            let signer = BucketSigner(region: "garage", keyID: "AKID", key: "s3cr/et+")
            #expect(signed.ours(signer) == signed.headers["Authorization"], "\(line)")
            #expect(problem(secret: "another") == "SignatureDoesNotMatch")
            #expect(problem(region: "us-east-1") == "AuthorizationHeaderMalformed")
            #expect(problem { $0.target += "x" } == "SignatureDoesNotMatch")
            #expect(problem { $0.headers["Host"] = "h:2" } == "SignatureDoesNotMatch")
            #expect(problem { $0.headers["X-Amz-Date"] = "20200101T000000Z" } != nil)
            #expect(
                problem { $0.headers["X-Amz-Content-SHA256"] = "UNSIGNED-PAYLOAD" } == "SignatureDoesNotMatch"
            )
            #expect(problem { $0.headers["x-amz-request-payer"] = "requester" } == "AccessDenied")
            #expect(problem { $0.headers["Authorization"] = nil } == "AccessDenied")
        }
    }
}
