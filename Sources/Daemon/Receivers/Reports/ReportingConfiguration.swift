import CurlTransfer
import JobModel

/// The receiver of error reports, and the way to it.
public struct ReportingConfiguration: Sendable {
    /// The receiver.
    public var address: ReportAddress
    /// The networks that are never connected to.
    public var deniedNetworks: [NetworkRange]
    /// The version of this program.
    public var version: String

    public init(address: ReportAddress, deniedNetworks: [NetworkRange], version: String) {
        self.address = address
        self.deniedNetworks = deniedNetworks
        self.version = version
    }

    /// Returns the request that sends an envelope.
    func post(_ envelope: [UInt8]) -> PostRequest {
        let client = "facefetch/\(version)"
        return PostRequest(
            url: address.url,
            headers: [
                "Content-Type: application/x-sentry-envelope", address.authorization(client: client),
            ],
            body: envelope,
            deniedNetworks: deniedNetworks,
            userAgent: client,
            wantedField: "X-Sentry-Rate-Limits"
        )
    }
}
