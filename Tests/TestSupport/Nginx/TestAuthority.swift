import Foundation

/// A certificate authority of a test's own, made by the openssl program.
public struct TestAuthority {
    private let directory: TemporaryDirectory

    /// The path of its certificate.
    public var file: String { directory.path("authority.pem") }

    /// Makes one.
    public init() throws {
        directory = try TemporaryDirectory()
        try make("authority", subject: "authority", ["-addext", "basicConstraints=critical,CA:TRUE"])
    }

    /// Makes a certificate for 127.0.0.1, or for a client, that it vouches for.
    public func certificate(_ name: String) throws -> (file: String, key: String) {
        try make(
            name,
            subject: name,
            [
                "-CA", file, "-CAkey", directory.path("authority.key"), "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-addext", "basicConstraints=critical,CA:FALSE",
            ]
        )
        return (directory.path("\(name).pem"), directory.path("\(name).key"))
    }

    private func make(_ name: String, subject: String, _ others: [String]) throws {
        let run = try Shell.run(
            [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=\(subject)", "-keyout",
                directory.path("\(name).key"), "-out", directory.path("\(name).pem"),
            ] + others
        )
        guard run.status == 0 else { throw NginxServer.Failure(description: run.output) }
    }
}
