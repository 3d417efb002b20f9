import CurlTransfer

/// Where a webhook delivers to, and how.
public struct WebhookConfiguration: Sendable {
    /// The receiver's URL.
    public var url: String
    /// Each signs; none leaves requests unsigned.
    public var secrets: [WebhookSecret]
    /// The words of the endings that are told of.
    public var endings: [String]
    /// What events name as where they come from: a URI reference.
    public var source: String
    /// Networks that are never connected to.
    public var deniedNetworks: [NetworkRange]
    /// `User-Agent`.
    public var userAgent: String

    /// A configuration.
    public init(
        url: String,
        secrets: [WebhookSecret],
        endings: [String],
        source: String,
        deniedNetworks: [NetworkRange],
        userAgent: String
    ) {
        self.url = url
        self.secrets = secrets
        self.endings = endings
        self.source = source
        self.deniedNetworks = deniedNetworks
        self.userAgent = userAgent
    }
}
