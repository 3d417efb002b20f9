import Glibc

/// The address of an origin: an IPv4 or IPv6 address, and a port.
struct OriginAddress {
    private var storage = sockaddr_storage()

    /// Nil where the text is no address.
    init?(_ address: String, port: UInt16) {
        let isRead = withUnsafeMutableBytes(of: &storage) { bytes -> Bool in
            guard let start = bytes.baseAddress else { return false }
            if address.contains(":") {
                let name = start.assumingMemoryBound(to: sockaddr_in6.self)
                name.pointee.sin6_family = sa_family_t(AF_INET6)
                name.pointee.sin6_port = port.bigEndian
                return inet_pton(AF_INET6, address, &name.pointee.sin6_addr) == 1
            }
            let name = start.assumingMemoryBound(to: sockaddr_in.self)
            name.pointee.sin_family = sa_family_t(AF_INET)
            name.pointee.sin_port = port.bigEndian
            return inet_pton(AF_INET, address, &name.pointee.sin_addr) == 1
        }
        guard isRead else { return nil }
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The port; at the same place in either family.
    var port: UInt16 {
        withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }

    /// Gives the address to a system call, which may change it.
    mutating func withGenericAddress<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let length = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
