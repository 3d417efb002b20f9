/// Which cookies go where (RFC 6265 §5.4).
extension CookieFile {
    /// Returns the value of the Cookie field for a URL; nil if no cookie is for it.
    ///
    /// - Parameter now: The time in seconds since 1970.
    public func field(for url: String, now: Int64) -> String? {
        guard let place = Place(url) else { return nil }
        let matching = cookies.filter { $0.isFor(place) && ($0.expires == 0 || $0.expires > now) }
        guard !matching.isEmpty else { return nil }
        // Longer paths first, and otherwise in the order of the file.
        return matching.enumerated()
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
            .map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    /// Returns the names of those cookies in lines of a file that are for a URL, whenever they expire.
    public static func names(inLines lines: [String], for url: String) -> Set<String> {
        guard let place = Place(url) else { return [] }
        return Set(
            lines.compactMap { line in
                guard let cookie = try? Cookie(line: line), cookie.isFor(place) else { return nil }
                return cookie.name
            }
        )
    }

    /// The parts of a URL that cookies go by.
    struct Place {
        var host: String
        var path: String
        var isSecure: Bool

        /// Nil for what is no absolute http or https URL.
        init?(_ url: String) {
            let parts = URLParts(url)
            guard let scheme = parts.httpScheme, let authority = parts.authority.map(URLAuthority.init),
                !authority.hostName.isEmpty
            else { return nil }
            host = authority.hostName
            if host.hasSuffix(".") { host.removeLast() }
            path = parts.path.isEmpty ? "/" : String(parts.path)
            isSecure = scheme == "https"
        }
    }
}

extension CookieFile.Cookie {
    /// Returns whether the cookie is for a host (RFC 6265 §5.1.3), given in lower case without brackets.
    public func isFor(host: String) -> Bool {
        guard host != domain else { return true }
        // An address is under no domain.
        let isAddress =
            host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        return isForSubdomains && !isAddress && host.hasSuffix(".\(domain)")
    }

    /// Returns whether the cookie is for a place, whenever it expires.
    func isFor(_ place: CookieFile.Place) -> Bool {
        guard isFor(host: place.host), place.isSecure || !isSecure, place.path.hasPrefix(path) else {
            return false
        }
        // RFC 6265 §5.1.4
        return path.hasSuffix("/") || place.path.utf8.count == path.utf8.count
            || place.path.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }
}

/// The texts of Cookie fields: `a=b; c=d`.
public enum CookieField {
    /// Returns the name of each cookie in a field.
    public static func names(in field: String) -> [String] { parts(of: field).map(name) }

    /// Returns a field without the cookies of some names; nil where none is left.
    public static func removing(_ names: Set<String>, from field: String) -> String? {
        let rest = parts(of: field).filter { !names.contains(name($0)) }
        return rest.isEmpty ? nil : rest.joined(separator: "; ")
    }

    /// Returns whether a text is one or more cookies, `NAME=VALUE`, with semicolons between them.
    public static func isValid(_ field: String) -> Bool {
        let parts = parts(of: field)
        return !parts.isEmpty && parts.allSatisfy { $0.contains("=") && !name($0).isEmpty }
    }

    private static func parts(of field: String) -> [String] {
        field.split(separator: ";").map { String($0.drop { $0 == " " || $0 == "\t" }) }.filter { !$0.isEmpty }
    }

    private static func name(_ part: String) -> String { String(part.prefix { $0 != "=" }) }
}
