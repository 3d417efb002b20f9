import JobCore

/// Where a transfer's requests may go.
extension TransferSlot {
    /// Why the current request may not go to an address; nil where it may.
    ///
    /// `isNamed` says that the URL itself has the address, and not that it is only connected to: that
    /// may be a proxy's.
    func refusal(of address: IPAddress, isNamed: Bool = false) -> AddressRules.Refusal? {
        let rules = owner.configuration.addressRules
        let isDestination = isNamed || !owner.usesProxy
        return rules.refusal(
            of: address,
            redirectedFrom: trail.count > 0 && isDestination ? origin : nil
        )
    }

    /// Takes note of the address that the first request goes to.
    func noteOrigin(_ address: IPAddress) {
        guard trail.count == 0 else { return }
        origin = IPAddress(host: trail.current.host) ?? (owner.usesProxy ? nil : address)
    }
}
