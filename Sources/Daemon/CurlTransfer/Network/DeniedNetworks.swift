/// Networks that are never connected to, whoever connects.
struct DeniedNetworks: Sendable {
    private let rules: AddressRules

    /// Networks as the settings have them.
    init(_ networks: [NetworkRange]) {
        rules = AddressRules(denied: networks, privateByRedirect: .allow)
    }

    /// Returns whether the address that a socket is about to connect to is denied; families other than IPv4
    /// and IPv6 are.
    func contains(_ address: UnsafeRawPointer, length: Int) -> Bool {
        guard let address = IPAddress(address, length: length) else { return true }
        return rules.refusal(of: address, isLedByPublic: false) != nil
    }

    /// Returns whether an address, as libcurl writes it, may not be connected to; text that is no address may
    /// not.
    func contains(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return true }
        return rules.refusal(of: address, isLedByPublic: false) != nil
    }
}
