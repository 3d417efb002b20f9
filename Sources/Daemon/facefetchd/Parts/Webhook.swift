import ControlServer
import JobEngine
import JobModel
import Receivers
import Settings
import Vocabulary

extension Webhook: Part {
    /// A webhook that reports what the store has, when events say that there is something.
    convenience init(on ground: Ground) {
        let now = ground.now
        self.init(
            path: ground.settings.paths.state + "/webhook",
            logger: ground.logger,
            endings: FollowedEndings(on: ground) { WebhookItem($0, now: now()) }
        )
    }

    func configure(_ settings: DaemonSettings) throws(StartFailure) -> Change? {
        let delivery = try settings.webhookDelivery()
        return { self.configure(delivery) }
    }

    func show(in configuration: inout ControlServerConfiguration) {
        configuration.webhook = { self.status }
    }
}

extension WebhookItem {
    /// An ending as the API has it.
    init(_ ended: EndedJob, now: Moment) {
        self.init(
            number: ended.number,
            ending: ended.ending.rawValue,
            job: ended.job.id.rawValue,
            time: ended.ending == .stored ? nil : ended.job.finishedAt?.wall.rfc3339,
            json: ended.json(now: now)
        )
    }
}

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
