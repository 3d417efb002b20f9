import JobModel
import Vocabulary

/// A page that came over http instead of a picture, or a 511: a portal sends them in the place of all hosts, as in
/// trains before somebody logs in, and a single host for a picture that is gone.
public struct PortalSign: Hashable, Sendable {
    /// The host that was asked (``JobURL/hostKey``).
    public var host: String
    /// The address that has answered, without its query; nil for 511, which comes from no host (RFC 6585 §6).
    public var address: String?

    /// Creates the sign that an address has answered in a host's place.
    public init(host: String, address: String?) { (self.host, self.address) = (host, address) }

    /// Returns whether a portal may have sent an answer of this type, that was refused with this code, to a request for
    /// `home` that has been led to `current`.
    public static func mayBe(
        _ code: FailureCode,
        type: String?,
        askedOf home: JobURL,
        from current: JobURL
    ) -> Bool {
        // Nobody else can answer for a host over https, or for this machine.
        guard home.scheme == "http", !home.isLoopback else { return false }
        let isElsewhere = current.hostName != home.hostName
        switch code {
        case .http(511): return true
        case .unexpectedContentType where isElsewhere || current.scheme == "http":
            return type?.lowercased().hasPrefix("text/html") ?? false
        // Many portals have an address of their own network, which isn't asked.
        case .refusedRedirect: return isElsewhere
        default: return false
        }
    }

    /// The number of sites whose pages show a portal, wherever they come from.
    static let leastSites = 3

    /// Returns whether a portal has sent these, where they are all that has come from anywhere: several sites have sent
    /// nothing but pages, or two have led to one page of neither.
    public static func showPortal(_ signs: [PortalSign]) -> Bool {
        if signs.contains(where: { $0.address == nil }) { return true }
        if Set(signs.map(\.site)).count >= leastSites { return true }
        return Dictionary(grouping: signs, by: \.address).contains { address, signs in
            let owner = address.flatMap { try? JobURL($0) }.map { site(of: $0.hostKey) }
            return Set(signs.map(\.site)).subtracting([owner]).count > 1
        }
    }

    private var site: String? { Self.site(of: host) }

    /// Returns the last two labels of a host's name, since the hosts of one owner have pages in common; an address
    /// stands for itself.
    private static func site(of host: String) -> String {
        let name = JobURL.name(ofHostKey: host)
        let isAddress =
            name.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) } || name.contains(":")
        return isAddress ? name : name.split(separator: ".").suffix(2).joined(separator: ".")
    }
}
