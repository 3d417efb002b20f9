/// The user's name and password in a URL (RFC 3986 §3.2.1), which nobody is shown.
public enum UserInformation {
    /// The mask of a password, or of a user's name without one.
    public static let mask = "***"

    /// Returns whether what stands before the `@` of a URL has the mask for a password or a token.
    public static func isMask(_ information: String) -> Bool {
        information == mask || information.hasSuffix(":" + mask)
    }

    /// Returns a URL without its password, or without a user's name that has none: services take that for a
    /// token.
    ///
    /// What stands in their place is the same as in the URLs of jobs.
    public static func masked(url: String) -> String { masked(url) { _ in false }.text }

    /// Returns a text of any kind with the URLs in it masked, as far as they are written as URLs have to be.
    public static func masked(in text: String) -> String { masked(text, endsAt: isOutside).text }

    /// Returns what stands before the `@` of each URL in a text.
    public static func all(in text: String) -> [String] { masked(text, endsAt: isOutside).found }

    /// White space, quotes and angle brackets end a URL (RFC 3986, Appendix C).
    private static func isOutside(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x22 || byte == 0x27 || byte == 0x3C || byte == 0x3E
    }

    private static func masked(
        _ text: String,
        endsAt isEnd: (UInt8) -> Bool
    ) -> (text: String, found: [String]) {
        guard text.utf8.contains(0x40) else { return (text, []) }
        let bytes = Array(text.utf8)
        var (result, found) = ([UInt8](), [String]())
        var index = 0
        while index < bytes.count {
            guard bytes[index...].starts(with: [0x3A, 0x2F, 0x2F]) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result += bytes[index..<index + 3]
            index += 3
            let rest = bytes[index...]
            let end = rest.firstIndex { [0x2F, 0x3F, 0x23].contains($0) || isEnd($0) } ?? rest.endIndex
            guard let mark = rest[..<end].lastIndex(of: 0x40), mark > index else { continue }
            found.append(String(decoding: rest[..<mark], as: UTF8.self))
            result += masked(rest[..<mark])
            index = mark
        }
        return (String(decoding: result, as: UTF8.self), found)
    }

    private static func masked(_ information: ArraySlice<UInt8>) -> [UInt8] {
        let mask = Array(Self.mask.utf8)
        guard let colon = information.firstIndex(of: 0x3A), colon + 1 < information.endIndex else {
            return mask
        }
        return information[...colon] + mask
    }
}
