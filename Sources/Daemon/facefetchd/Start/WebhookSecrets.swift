import Receivers

/// Reads the secrets that sign a webhook's requests.
enum WebhookSecrets {
    /// The secrets in a file, one a line.
    ///
    /// - Throws: ``StartFailure`` where it can't be read, others can read it, or there is none in it.
    static func read(_ path: String) throws(StartFailure) -> [WebhookSecret] {
        let file = SecretFile(key: "webhook.secret-file", path: path)
        let lines = try file.lines()
        guard !lines.isEmpty else { throw file.failure("has no secret in it") }
        var secrets: [WebhookSecret] = []
        for (number, line) in lines.enumerated() {
            guard let secret = WebhookSecret(line) else {
                throw file.failure(
                    "has something other than a secret (number \(number + 1) of those in it): "
                        + "a secret is whsec_ and 24 to 64 bytes in base64, such as \"openssl rand -base64 32\" makes"
                )
            }
            secrets.append(secret)
        }
        return secrets
    }
}
