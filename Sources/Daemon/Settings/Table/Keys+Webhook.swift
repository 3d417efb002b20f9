import Vocabulary

/// The settings of the webhook.
extension Keys {
    static let webhook = [webhookURL.row, webhookEndings.row, webhookSecretFile.row]

    static let webhookURL = SettingKey<String?>(
        name: "webhook.url",
        type: "text",
        fallback: "",
        meaning:
            "Where to post what jobs come to, as CloudEvents; empty for nowhere. It begins with what ends "
            + "after that, in order, and goes on over restarts until the receiver has taken it. No proxy is used.",
        expected: "a URL that begins with https:// or http://",
        mayHoldToken: true
    ) { raw in
        guard let text = raw.text, !text.isEmpty else { return .some(nil) }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && text.utf8.count <= 2000
        guard isPlain, (try? JobURL(text)) != nil else { return nil }
        return .some(text)
    }
    static let webhookEndings = SettingKey<[JobEnding]>(
        name: "webhook.endings",
        type: "list",
        fallback: "done, failed",
        meaning: "What the webhook tells of.",
        expected: "a list of "
            + JobEnding.allCases.map(\.rawValue).joined(separator: ", ")
    ) { raw in
        let endings = raw.items.map(JobEnding.init(rawValue:))
        return endings.isEmpty || endings.contains(nil) ? nil : endings.compactMap { $0 }
    }
    static let webhookSecretFile = path(
        "webhook.secret-file",
        fallback: "",
        "A file with the secrets that sign the webhook's requests (Standard Webhooks), whsec_…, one per line, "
            + "which others must not be able to read; empty to send them unsigned.",
        needsRestart: false
    )
}
