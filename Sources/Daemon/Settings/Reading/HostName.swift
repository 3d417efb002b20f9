import Glibc
import Vocabulary

/// The names by which settings speak of hosts.
enum HostName {
    /// The words for what is expected.
    static let form =
        "the name or address of a host without a port, such as example.org, or \"*.example.org\" for all under it, "
        + "in ASCII (xn--…)"

    /// Returns a name as URLs have it: in lower case and without the dot at its end, an address of IPv6
    /// without brackets; nil for anything else.
    static func read(_ given: String) -> String? {
        guard given.utf8.count <= 255 else { return nil }
        var name = given.lowercased()
        let isDomain = name.hasPrefix("*.")
        if isDomain { name.removeFirst(2) }
        if !isDomain, name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        if name.contains(":") {
            var address = in6_addr()
            return !isDomain && inet_pton(AF_INET6, name, &address) == 1 ? name : nil
        }
        if name.hasSuffix(".") { name.removeLast() }
        // A resolver's longest name, with labels of at most 63 bytes (RFC 1035 §2.3.4).
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(isLabelByte)
        }
        guard name.utf8.count <= JobURL.maximumHostLength, areLabels else { return nil }
        return isDomain ? "*." + name : name
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
