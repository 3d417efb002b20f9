import JobCore

/// Applies the rules for addresses to a transfer's requests.
extension TransferSlot {
    /// Why the current request may not go to an address; nil where it may.
    ///
    /// `isNamed` says that the URL itself has the address, and not that it is only connected to: that
    /// may be a proxy's.
    func refusal(of address: IPAddress, isNamed: Bool = false) -> AddressRules.Refusal? {
        let rules = owner.configuration.addressRules
        let isDestination = isNamed || !owner.usesProxy
        let isLedByPublic = publicHop.map { $0 < trail.count } ?? false
        return rules.refusal(of: address, isLedByPublic: isLedByPublic && isDestination)
    }

    /// Takes note of the address that a request goes to: whether a redirect from there is a public server's.
    ///
    /// Whoever has a name that only a proxy looks up is taken for one: such a name may be anybody's.
    func noteDestination(_ address: IPAddress? = nil) {
        let destination = IPAddress(host: trail.current.host) ?? (owner.usesProxy ? nil : address)
        if publicHop == nil, destination?.isPrivate != true { publicHop = trail.count }
    }
}
