extension JobURL {
    /// True if the host is this machine itself.
    public var isLoopback: Bool { Self.isLoopback(host: hostName) }

    /// Returns whether a host, given like ``hostName``, is this machine itself.
    public static func isLoopback(host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        guard host.hasPrefix("127.") else { return false }
        return host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    }
}
