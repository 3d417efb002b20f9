import Glibc

/// A parser for networks: an address with the length of its prefix.
enum Network {
    /// Returns the canonical form, `address/length`; nil if the text isn't a network.
    ///
    /// A single address is a network of one.
    static func canonical(_ text: String) -> String? {
        // inet_pton(3) would read up to there.
        guard !text.utf8.contains(0) else { return nil }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        for (family, bits) in [(AF_INET, 32), (AF_INET6, 128)] {
            var address = in6_addr()
            guard inet_pton(family, parts[0], &address) == 1 else { continue }
            var length = bits
            if parts.count == 2 {
                guard let given = Int(parts[1]), (0...bits).contains(given) else { return nil }
                length = given
            }
            var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(family, &address, &name, socklen_t(name.count)) != nil else { return nil }
            let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return String(decoding: bytes, as: UTF8.self) + "/\(length)"
        }
        return nil
    }
}
