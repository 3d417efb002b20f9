import Foundation
import Glibc
import Settings
import TestSupport
import Testing

@testable import facefetchd

@Suite("Files of certificates and keys")
struct CertificateFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Runs openssl in the test's directory.
    private func openssl(_ arguments: String...) throws {
        let run = try Shell.run(["/usr/bin/openssl"] + arguments)
        guard run.status == 0 else { throw Failed(output: run.output) }
    }

    private struct Failed: Error { let output: String }

    /// Makes a certificate and its key.
    private func certificate() throws -> (file: String, key: String) {
        let (file, key) = (directory.path("c.pem"), directory.path("k.pem"))
        try openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=test",
            "-keyout",
            key,
            "-out",
            file
        )
        return (file, key)
    }

    private func check(_ transfer: String) throws -> [String] {
        let text = "transfer: {\(transfer)}"
        return try DaemonSettings.load(
            flags: SettingsFlags(),
            environment: ["HOME": "/home/ann"],
            configFile: try directory.write(Array(text.utf8), to: "settings.yaml")
        ).checkCertificates()
    }

    private func failure(_ transfer: String) -> String? {
        do {
            _ = try check(transfer)
            return nil
        } catch {
            return (error as? StartFailure)?.description ?? "\(error)"
        }
    }

    /// As much of a certificate as is read of one, with an end of this kind.
    private static func certificate(_ tag: UInt8, _ time: String) -> [UInt8] {
        func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
        let times = value(0x17, Array("200101000000Z".utf8)) + value(tag, Array(time.utf8))
        let part =
            value(0xA0, [2, 1, 2]) + value(2, [1]) + value(0x30, []) + value(0x30, [])
            + value(0x30, times)
        return value(0x30, value(0x30, part))
    }

    @Test("A certificate and its key are good, in one file or two", .enabled(if: TestCertificate.isPossible))
    func good() throws {
        let made = try certificate()
        #expect(try check("ca-file: \(made.file)").isEmpty)
        #expect(try check("client-certificate: \(made.file), client-key: \(made.key)").isEmpty)
        let both = try directory.write(
            try directory.read("c.pem") + (try directory.read("k.pem")),
            to: "both.pem"
        )
        chmod(both, 0o600)
        #expect(try check("client-certificate: \(both)").isEmpty)
        chmod(both, 0o644)
        #expect(failure("client-certificate: \(both)")?.contains("can be read or changed by others") == true)
        #expect(try check("ca-file: \(both)").isEmpty)
        #expect(failure("client-certificate: \(made.file)")?.contains("no private key") == true)
    }

    @Test("One that has expired is told, and used all the same")
    func expired() throws {
        let block = { (time: String) in
            let content = Data(Self.certificate(0x17, time)).base64EncodedString()
            return "-----BEGIN CERTIFICATE-----\n\(content)\n-----END CERTIFICATE-----\n"
        }
        let (old, good) = (block("210102030405Z"), block("490101000000Z"))
        let one = try directory.write(Array(old.utf8), to: "one")
        let several = try directory.write(Array((good + old + good).utf8), to: "several")
        #expect(
            try check("ca-file: \(one)")
                == ["transfer.ca-file: the certificate in \(one) can't be used any more since 2021-01-02"]
        )
        #expect(
            try check("ca-file: \(several)").first?.contains(": 1 of 3 certificates in ") == true
        )
    }

    @Test("A key with a passphrase can't be used", .enabled(if: TestCertificate.isPossible))
    func encrypted() throws {
        let made = try certificate()
        for traditional in [[], ["-traditional"]] {
            let path = directory.path("e.pem")
            let arguments = [
                "/usr/bin/openssl", "pkey", "-in", made.key, "-aes256", "-passout", "pass:x", "-out", path,
            ]
            #expect(try Shell.run(arguments + traditional).status == 0)
            chmod(path, 0o600)
            let failure = failure("client-certificate: \(made.file), client-key: \(path)")
            #expect(failure?.contains("with a passphrase") == true, "\(failure ?? "")")
        }
    }

    @Test("What is no such file is said by its key")
    func wrong() throws {
        let empty = try directory.write([], to: "empty")
        let text = try directory.write(Array("certificate".utf8), to: "text")
        let block = { (name: String, content: String) in
            try directory.write(
                Array("-----BEGIN CERTIFICATE-----\n\(content)\n-----END CERTIFICATE-----\n".utf8),
                to: name
            )
        }
        let (broken, other) = (try block("broken", "???"), try block("other", "AAAA"))
        for (transfer, words) in [
            (
                "ca-file: \(directory.path("none"))",
                "transfer.ca-file: \(directory.path("none")) can't be read"
            ),
            ("ca-file: \(directory.path)", "is not a file"), ("ca-file: \(empty)", "is not PEM"),
            ("ca-file: \(text)", "is not PEM"), ("ca-file: \(broken)", "is not PEM"),
            ("ca-file: \(other)", "something other than a certificate (number 1"),
            ("client-key: \(text)", "transfer.client-key: this is the key of no certificate"),
        ] {
            let failure = failure(transfer)
            #expect(failure?.contains(words) == true, "\(failure ?? "")")
        }
    }

    @Test("An end is read in both its forms, and nothing that is cut off has one")
    func ends() throws {
        #expect(CertificateValidity.end(of: Self.certificate(0x17, "700101000001Z")) == 1)
        #expect(CertificateValidity.end(of: Self.certificate(0x17, "300101000000Z")) == 1_893_456_000)
        #expect(CertificateValidity.end(of: Self.certificate(0x18, "20300101000000Z")) == 1_893_456_000)
        for (tag, time) in [
            (0x17, "20300101000000Z"), (0x18, "300101000000Z"), (0x17, "30010100000xZ"), (4, ""),
        ] {
            #expect(CertificateValidity.end(of: Self.certificate(UInt8(tag), time)) == nil)
        }
        let whole = Self.certificate(0x17, "300101000000Z")
        for count in 0..<whole.count { #expect(CertificateValidity.end(of: Array(whole[..<count])) == nil) }
    }
}
