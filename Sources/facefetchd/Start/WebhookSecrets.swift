import Glibc
import Webhook

/// Reads the secrets that sign a webhook's requests.
enum WebhookSecrets {
    /// How large the file may be, in bytes.
    private static let maximumSize = 65536

    /// The secrets in a file, one a line.
    ///
    /// - Throws: ``StartFailure`` where it can't be read, others can read it, or there is none in it.
    static func read(_ path: String) throws(StartFailure) -> [WebhookSecret] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure(path, "can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure(path, "is not a file")
        }
        guard status.st_mode & (S_IROTH | S_IWOTH | S_IWGRP) == 0 else {
            throw failure(
                path,
                "can be read or changed by others: chmod 600 it, or 640 for the daemon's group"
            )
        }
        var buffer = [UInt8](repeating: 0, count: maximumSize)
        let count = Glibc.read(descriptor, &buffer, maximumSize)
        guard count >= 0 else { throw failure(path, "can't be read: \(String(cString: strerror(errno)))") }
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard !lines.isEmpty else { throw failure(path, "has no secret in it") }
        var secrets: [WebhookSecret] = []
        for (number, line) in lines.enumerated() {
            guard let secret = WebhookSecret(line) else {
                throw failure(
                    path,
                    "has something other than a secret (number \(number + 1) of those in it): "
                        + "a secret is whsec_ and 24 to 64 bytes in base64, such as \"openssl rand -base64 32\" makes"
                )
            }
            secrets.append(secret)
        }
        return secrets
    }

    private static func failure(_ path: String, _ words: String) -> StartFailure {
        StartFailure(status: .badSettings, description: "webhook.secret-file: \(path) \(words)")
    }
}
