import Foundation

/// A certificate for 127.0.0.1 that nobody vouches for, made by the openssl program.
public struct TestCertificate: Sendable {
    private static let openssl = "/usr/bin/openssl"

    /// True if the program is installed.
    public static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: openssl) }

    private let directory: TemporaryDirectory

    /// The certificate's path.
    public var file: String { directory.path("certificate.pem") }
    /// The path of its key.
    public var key: String { directory.path("key.pem") }

    /// Makes one.
    public init() throws {
        directory = try TemporaryDirectory()
        let process = try ChildProcess(
            Self.openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=facefetch test", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", key, "-out", file,
            ]
        )
        process.wait()
    }
}
