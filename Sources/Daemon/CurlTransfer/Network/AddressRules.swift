import JobCore
import JobModel
import Vocabulary

/// The rules on which addresses may be connected to.
struct AddressRules: Hashable, Sendable {
    /// The reason why an address may not be connected to.
    enum Refusal: Hashable, Sendable {
        /// The address is in a network that the settings deny.
        case denied
        /// The address is private, and a redirect from a public one leads there.
        case privateByRedirect

        /// Returns the failure for a request to a host and port.
        func failure(at place: String) -> JobFailure {
            switch self {
            case .denied:
                JobFailure(
                    .deniedNetwork,
                    "\(place) is in a network that is denied here (transfer.denied-networks)"
                )
            case .privateByRedirect:
                JobFailure(
                    .refusedRedirect,
                    "a public server redirected to \(place), which has a private address; if that is "
                        + "intended, set transfer.private-by-redirect to allow"
                )
            }
        }
    }

    /// The networks to which connections are never made.
    var denied: [NetworkRange]
    /// The treatment of redirects from public to private addresses.
    var privateByRedirect: PrivateByRedirect

    init(denied: [NetworkRange], privateByRedirect: PrivateByRedirect) {
        self.denied = denied
        self.privateByRedirect = privateByRedirect
    }

    /// Returns why an address may not be connected to; nil if it may.
    ///
    /// `isLedByPublic` says whether a redirect of a public server was among those that led here.
    func refusal(of address: IPAddress, isLedByPublic: Bool) -> Refusal? {
        let destinations = address.destinations
        if destinations.contains(where: { one in denied.contains { $0.contains(one) } }) { return .denied }
        return privateByRedirect == .refuse && isLedByPublic && address.isPrivate ? .privateByRedirect : nil
    }
}

extension IPAddress {
    /// True if the address has a different meaning on each network, or leads to an address that does.
    var isPrivate: Bool {
        destinations.contains { one in Self.privateNetworks.contains { $0.contains(one) } }
    }

    /// The addresses that are not globally reachable according to the IANA registries of special-purpose
    /// addresses (RFC 6890) but can be connected to, without multicast.
    private static let privateNetworks: [NetworkRange] = {
        let v4: [(UInt32, Int)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
            (0xC633_6400, 24), (0xCB00_7100, 24), (0xF000_0000, 4),
        ]
        let v6: [(UInt64, UInt64, Int)] = [
            (0, 0, 128), (0, 1, 128),  // :: and ::1
            (0x0100_0000_0000_0000, 0, 64),  // 100::/64, discarded
            (0x2001_0002_0000_0000, 0, 48),  // 2001:2::/48, for benchmarks
            (0x2001_0DB8_0000_0000, 0, 32), (0x3FFF_0000_0000_0000, 0, 20),  // in examples
            (0x5F00_0000_0000_0000, 0, 16),  // 5f00::/16, segments of routes
            (0xFC00_0000_0000_0000, 0, 7),  // fc00::/7, unique local
            (0xFE80_0000_0000_0000, 0, 10), (0xFEC0_0000_0000_0000, 0, 10),  // link-local, site-local
        ]
        return v4.map { NetworkRange(IPAddress(v4: $0), length: 96 + $1, description: "") }
            + v6.map { NetworkRange(IPAddress(high: $0, low: $1), length: $2, description: "") }
    }()
}
