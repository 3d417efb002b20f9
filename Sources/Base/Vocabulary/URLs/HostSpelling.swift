import Glibc

/// The one spelling of a host, since each can be written in several ways.
enum HostSpelling {
    /// Returns a host, given in lower case and without brackets, as all its spellings are understood: an IPv4 address
    /// in four numbers, whether it was written in fewer (`127.1`, `0x7f000001`; inet_aton(3)) or as an IPv6 address
    /// (`::ffff:127.0.0.1`; RFC 4291 §2.5.5.2), any other IPv6 address in its shortest form (RFC 5952), and a name
    /// without the dot at its end (RFC 1034 §3.1).
    static func plain(_ host: String) -> String {
        let bytes = host.utf8
        if bytes.contains(UInt8(ascii: ":")) { return v6(host) }
        let rooted = bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes[...]
        let name = rooted.count == bytes.count ? host : String(Substring(rooted))
        // The last part of an address begins with a digit, and that of a name doesn't.
        let afterDot = rooted.lastIndex(of: UInt8(ascii: ".")).map { rooted.index(after: $0) }
        let last = rooted[(afterDot ?? rooted.startIndex)...]
        guard let first = last.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return name
        }
        var address = in_addr()
        // Four numbers that can't be written in another way, which is what nearly all addresses are.
        if inet_pton(AF_INET, name, &address) == 1 { return name }
        // inet_aton ignores what follows white space.
        guard rooted.allSatisfy({ (0x21...0x7E).contains($0) }), inet_aton(name, &address) == 1 else {
            return name
        }
        return text(AF_INET, &address) ?? name
    }

    private static func v6(_ host: String) -> String {
        let end = host.utf8.firstIndex(of: UInt8(ascii: "%")) ?? host.endIndex
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(host[..<end]), &address) == 1,
            let plain = text(AF_INET6, &address)
        else { return host }
        let mapped = "::ffff:"
        guard plain.hasPrefix(mapped), plain.contains(".") else { return plain + host[end...] }
        return String(plain.dropFirst(mapped.count))
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
