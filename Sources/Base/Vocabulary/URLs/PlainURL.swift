/// A URL that can be used as it is, as almost all can: nothing to encode, no credentials.
///
/// Batches can have a hundred thousand URLs, and Foundation takes several times as long for each.
/// Whatever isn't plain is left to Foundation.
struct PlainURL {
    /// `http` or `https`.
    let scheme: String
    /// The host in lower case.
    let host: String
    /// The port; the scheme's default if the URL gives none.
    let port: Int

    /// Reads a plain URL; nil for anything else, which may still be a URL.
    init?(_ text: String) {
        var rest = text.utf8[...]
        if rest.starts(with: "https://".utf8) {
            scheme = "https"
            rest = rest.dropFirst(8)
        } else if rest.starts(with: "http://".utf8) {
            scheme = "http"
            rest = rest.dropFirst(7)
        } else {
            return nil
        }
        let name = rest.prefix(while: Self.isPlainInHost)
        // Internationalized names are encoded as Punycode, which Foundation checks.
        guard !name.isEmpty, let host = String(name), !Self.isEncoded(host) else { return nil }
        self.host = host
        rest = rest[name.endIndex...]
        if rest.first == UInt8(ascii: ":") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let text = String(digits), let port = Int(text), (1...65535).contains(port) else {
                return nil
            }
            self.port = port
            rest = rest[digits.endIndex...]
        } else {
            port = scheme == "https" ? 443 : 80
        }
        // After the host comes a path, a query or the end.
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") else {
            return nil
        }
        let isPlain = Self.isPlain
        let areAllPlain = rest.withContiguousStorageIfAvailable { bytes in
            isPlain.withUnsafeBufferPointer { isPlain in
                var index = 0
                while index < bytes.count {
                    if isPlain[Int(bytes[index])] {
                        index += 1
                    } else {
                        guard PercentEncoding.begins(bytes[index...]) else { return false }
                        index += 3
                    }
                }
                return true
            }
        }
        guard areAllPlain == true else { return nil }
    }

    private static func isEncoded(_ host: String) -> Bool {
        host.utf8.contains(UInt8(ascii: "-")) && host.contains("xn--")
    }

    private static func isPlainInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The characters of paths and queries (RFC 3986 §3.3 and §3.4), except for the percent sign, which two
    /// hexadecimal digits must follow.
    private static let isPlain: [Bool] = {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let plain = Set((letters + letters.uppercased() + "0123456789-._~!$&'()*+,;=:@/?").utf8)
        return (0...255).map { plain.contains(UInt8($0)) }
    }()
}
