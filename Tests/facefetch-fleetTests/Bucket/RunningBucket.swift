import Foundation
import SourceCore
import TestSupport

@testable import facefetch_fleet

/// A bucket's server that runs for a test.
final class RunningBucket {
    /// The Python that has botocore and moto; `scripts/install-moto` makes it.
    static let python: String? = {
        let path = root + "/.build/moto/bin/python"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    struct NotStarted: Error {}

    let directory: TemporaryDirectory
    let port: String
    private let server: ChildProcess

    /// The strict server's report on itself.
    struct Contents: Decodable {
        struct Object: Decodable, Hashable {
            var sha256: String?
            var length: Int
        }

        var objects: [String: Object]
        var uploads: [String]
        var requests: [String: Int]
        var refusals: [String]
    }

    /// Starts `Tests/Fleet/bucket.py`, which is strict, or moto's server.
    init(moto: Bool = false) async throws {
        guard let python = Self.python else { throw NotStarted() }
        let directory = try TemporaryDirectory()
        let place = directory.path("port")
        let arguments =
            moto
            ? ["-W", "ignore", "-c", Self.moto, place]
            : [Self.root + "/Tests/Fleet/bucket.py", "127.0.0.1", place]
        server = try ChildProcess(python, arguments)
        let isThere = await FolderWatch.until(in: directory.path) { access(place, F_OK) == 0 }
        guard isThere else { throw NotStarted() }
        port = String(decoding: try directory.read("port"), as: UTF8.self)
        self.directory = directory
    }

    private static let moto = """
        import os, signal, sys
        from moto.server import ThreadedMotoServer
        from moto.s3.models import s3_backends
        s3_backends["123456789012"]["aws"].create_bucket("pictures", "eu-central-1")
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        with open(sys.argv[1] + ".part", "w") as file: file.write(str(server.get_host_and_port()[1]))
        os.rename(sys.argv[1] + ".part", sys.argv[1])
        signal.pause()
        """

    /// Settings for it.
    func settings(
        bucket: String = "pictures",
        id: String = "AKIDEXAMPLE",
        secret: String = "s3cr/et+",
        region: String = "eu-central-1"
    ) throws -> BucketSettings {
        let keys = "[default]\naws_access_key_id = \(id)\naws_secret_access_key = \(secret)\n"
        var server = S3Settings()
        server.region = region
        server.endpoint = URLReference("http://127.0.0.1:\(port)")
        guard let keys = S3Keys(keys, profile: "default") else { throw NotStarted() }
        return BucketSettings(name: bucket, endpoint: S3Endpoint(server), keys: keys)
    }

    /// Returns what is in it.
    func contents() throws -> Contents {
        try JSONDecoder().decode(Contents.self, from: Data(try ask("objects").utf8))
    }

    /// Has requests fail, in this order: JSON as the server takes it.
    func fail(_ faults: String) throws { _ = try ask("faults", faults) }

    private func ask(_ name: String, _ body: String = "") throws -> String {
        guard let python = Self.python else { throw NotStarted() }
        let program = """
            import sys, urllib.request as u
            print(u.urlopen(u.Request(sys.argv[1], sys.argv[2].encode() or None)).read().decode())
            """
        let run = try Shell.run([python, "-c", program, "http://127.0.0.1:\(port)/-/\(name)", body])
        guard run.status == 0 else { throw NotStarted() }
        return run.output
    }
}
