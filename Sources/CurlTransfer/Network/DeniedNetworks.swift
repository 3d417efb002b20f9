/// Networks that are never connected to, whoever connects.
public struct DeniedNetworks: Sendable {
    private let rules: AddressRules

    /// Networks as the settings have them.
    public init(_ networks: [NetworkRange]) {
        rules = AddressRules(denied: networks, privateByRedirect: .allow)
    }

    /// Whether what a socket is about to connect to may not be; nor may other families than IPv4 and IPv6.
    public func contains(_ address: UnsafeRawPointer, length: Int) -> Bool {
        guard let address = IPAddress(address, length: length) else { return true }
        return rules.refusal(of: address, isLedByPublic: false) != nil
    }

    /// Whether an address, as libcurl writes it, may not be connected to; nor may what is none.
    func contains(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return true }
        return rules.refusal(of: address, isLedByPublic: false) != nil
    }
}
