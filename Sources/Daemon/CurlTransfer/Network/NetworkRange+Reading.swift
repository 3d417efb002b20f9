extension NetworkRange {
    /// Parses a range in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3) or a single address; nil for
    /// anything else.
    ///
    /// A range of IPv4 addresses includes their IPv4-mapped forms.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let isShort = address.isIPv4 && !first.contains(":")
        let width = isShort ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...width).contains(given) else { return nil }
            length = given
        }
        self.init(address, length: isShort ? length + 96 : length, description: text)
    }

    /// The link-local addresses and others where clouds offer a machine's credentials: AWS's for IPv6
    /// (instances and EKS pods), Google's, Oracle's, Azure's and Alibaba's.
    public static let deniedByDefault: [NetworkRange] = [
        "169.254.0.0/16", "fe80::/10", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe",
        "168.63.129.16", "100.100.100.200",
    ].compactMap { NetworkRange($0) }
}
