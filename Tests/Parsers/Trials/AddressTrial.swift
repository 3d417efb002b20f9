import Glibc

@testable import CurlTransfer
@testable import Settings

/// A host that may be an address, and a network that is denied.
enum AddressTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // No other bytes are in a URL's host.
        if !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) { try checkHost(text) }
        let canonical = Network.canonical(text)
        guard let range = NetworkRange(text) else {
            try promise(canonical == nil, "\(text) is allowed in the settings and denies nothing")
            return nil
        }
        guard let canonical, let same = NetworkRange(canonical) else {
            throw BrokenPromise(description: "\(text) isn't the same in the settings")
        }
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else {
            throw BrokenPromise(description: "\(text) is a network without an address")
        }
        try promise(range.contains(address) && same.contains(address), "\(text) isn't in itself")
        let rules = AddressRules(denied: [same], privateByRedirect: .allow)
        try promise(rules.refusal(of: address, isLedByPublic: false) == .denied, "\(text) isn't denied")
        return canonical
    }

    /// Checks that what the resolver takes for an address is one, and the same, before anything connects to
    /// it.
    private static func checkHost(_ host: String) throws(BrokenPromise) {
        guard let resolved = resolved(host) else { return }
        try promise(IPAddress(host: host) == resolved, "\(host) is an address, and nobody knew")
    }

    private static func resolved(_ host: String) -> IPAddress? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0, let first = list else { return nil }
        defer { freeaddrinfo(first) }
        return IPAddress(UnsafeRawPointer(first.pointee.ai_addr), length: Int(first.pointee.ai_addrlen))
    }
}
