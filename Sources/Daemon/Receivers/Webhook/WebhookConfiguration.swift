import CurlTransfer
import Vocabulary

/// The configuration of a webhook.
public struct WebhookConfiguration: Sendable {
    /// The receiver's URL.
    public var url: String
    /// The secrets, each of which signs; without any, requests are unsigned.
    public var secrets: [WebhookSecret]
    /// The kinds of endings to report.
    public var endings: Set<JobEnding>
    /// The `source` of events: a URI reference.
    public var source: String
    /// The networks that are never connected to.
    public var deniedNetworks: [NetworkRange]
    /// The files with which TLS proves who is who.
    public var certificates: CertificateFiles
    /// The value of `User-Agent`.
    public var userAgent: String

    public init(
        url: String,
        secrets: [WebhookSecret],
        endings: Set<JobEnding>,
        source: String,
        deniedNetworks: [NetworkRange],
        certificates: CertificateFiles = CertificateFiles(),
        userAgent: String
    ) {
        self.url = url
        self.secrets = secrets
        self.endings = endings
        self.source = source
        self.deniedNetworks = deniedNetworks
        self.certificates = certificates
        self.userAgent = userAgent
    }
}
