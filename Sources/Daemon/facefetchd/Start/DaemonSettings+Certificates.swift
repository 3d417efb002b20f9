import CurlTransfer
import Glibc
import JobModel
import Settings

/// The files with which TLS proves who is who.
extension DaemonSettings {
    /// The files, for the parts that use them.
    var certificates: CertificateFiles {
        CertificateFiles(
            authorities: transfer.authorities,
            client: transfer.clientCertificate,
            clientKey: transfer.clientKey
        )
    }

    /// Checks that the files hold what they should; returns what is to be told of them all the same.
    ///
    /// - Throws: ``StartFailure`` for a file that can't be used.
    func checkCertificates() throws(StartFailure) -> [String] {
        var notices: [String] = []
        if let path = transfer.authorities {
            let file = CertificateFile(key: "transfer.ca-file", path: path)
            notices += try file.notices(of: try file.read(isSecret: false))
        }
        guard let path = transfer.clientCertificate else {
            guard transfer.clientKey == nil else {
                throw StartFailure(
                    status: .badSettings,
                    description:
                        "transfer.client-key: this is the key of no certificate; set transfer.client-certificate"
                )
            }
            return notices
        }
        let file = CertificateFile(key: "transfer.client-certificate", path: path)
        let blocks = try file.read(isSecret: false)
        notices += try file.notices(of: blocks)
        if let path = transfer.clientKey {
            let file = CertificateFile(key: "transfer.client-key", path: path)
            try file.checkKey(in: try file.read(isSecret: true))
        } else {
            try file.checkKey(in: blocks)
            _ = try file.read(isSecret: true)
        }
        return notices
    }
}

/// A file of certificates or keys that the settings name.
private struct CertificateFile {
    let key: String
    let path: String

    /// The most bytes that a file may have: a hundred times the authorities of a system.
    private static let maximumSize = 16 << 20

    private var file: SecretFile { SecretFile(key: key, path: path) }

    /// Returns the blocks of the file.
    func read(isSecret: Bool) throws(StartFailure) -> [PEMBlock] {
        let bytes = try file.bytes(atMost: Self.maximumSize, isSecret: isSecret)
        guard let blocks = PEMBlock.all(in: bytes), !blocks.isEmpty else {
            throw file.failure(
                "is not PEM: it needs \"-----BEGIN CERTIFICATE-----\", base64 and the same with END"
            )
        }
        return blocks
    }

    /// Returns what is to be told of the certificates in the file.
    func notices(of blocks: [PEMBlock]) throws(StartFailure) -> [String] {
        let certificates = blocks.filter(\.isCertificate)
        guard !certificates.isEmpty else { throw file.failure("has no certificate in it") }
        let now = Int64(time(nil))
        var expired: [Int64] = []
        for (number, certificate) in certificates.enumerated() {
            guard let end = CertificateValidity.end(of: certificate.content) else {
                throw file.failure(
                    "has something other than a certificate (number \(number + 1) of those in it)"
                )
            }
            if end < now { expired.append(end) }
        }
        guard let first = expired.min() else { return [] }
        let day = Timestamp(microseconds: first * 1_000_000).rfc3339.prefix(10)
        let which =
            certificates.count == 1
            ? "the certificate in \(path)"
            : "\(expired.count) of \(certificates.count) certificates in \(path)"
        return ["\(key): \(which) can't be used any more since \(day)"]
    }

    /// Checks that there is a key that can be used.
    func checkKey(in blocks: [PEMBlock]) throws(StartFailure) {
        guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw file.failure("has no private key in it; name its file as transfer.client-key")
        }
        guard !block.isEncrypted else {
            throw file.failure("has a key with a passphrase; \"openssl pkey\" writes it without one")
        }
    }
}
