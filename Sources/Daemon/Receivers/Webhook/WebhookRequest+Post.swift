import CurlTransfer

extension WebhookRequest {
    /// Returns the request as it is posted, signed with each secret.
    func post(by configuration: WebhookConfiguration, now: Int64) -> PostRequest {
        var lines = [
            "Content-Type: " + CloudEvent.batchType, "webhook-id: \(id)", "webhook-timestamp: \(now)",
        ]
        if !configuration.secrets.isEmpty {
            let signatures = configuration.secrets.map { $0.signature(id: id, timestamp: now, body: body) }
            lines.append("webhook-signature: " + signatures.joined(separator: " "))
        }
        return PostRequest(
            url: configuration.url,
            headers: lines,
            body: body,
            deniedNetworks: configuration.deniedNetworks,
            certificates: configuration.certificates,
            userAgent: configuration.userAgent
        )
    }
}

extension WebhookMachine.Answer {
    /// Says what the receiver's answer means.
    init(_ answer: PostAnswer) {
        switch answer {
        case .status(200..<300, _, _): self = .taken
        case .status(410, _, _): self = .gone
        // These are about the content (RFC 9110 §15.5.1, §15.5.14, §15.5.21), if not only for now.
        case .status(let status, nil, _) where [400, 413, 422].contains(status):
            self = .refused("the receiver refused it with status \(status)")
        case .status(let status, let retryAfter, _):
            self = .failed("the receiver answered with status \(status)", retryAfter: retryAfter)
        case .failed(let reason): self = .failed(reason, retryAfter: nil)
        }
    }
}
