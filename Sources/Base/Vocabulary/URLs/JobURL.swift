import FoundationEssentials

/// A URL that can be fetched: absolute, http or https, percent-encoded.
public struct JobURL: Hashable, Sendable {
    /// The reason why a text can't be fetched as a URL.
    public enum Refusal: Error, Hashable, Sendable {
        /// The text is empty, or has nothing but white space.
        case empty
        /// The text is longer than ``JobURL/maximumLength`` bytes.
        case tooLong
        /// There is another URL behind the first, and a blank between them.
        case several
        /// The text is not a URL by RFC 3986, even with unusual characters percent-encoded.
        case unparsable
        /// The scheme is missing, as in `example.org/a.jpg`.
        case noScheme
        /// The scheme, which is given here, can't be fetched.
        case scheme(String)
        /// The host is missing.
        case noHost
        /// The host name is too long for any resolver (RFC 1035 §2.3.4).
        case hostTooLong

        /// A sentence for people, without a full stop.
        public var message: String {
            switch self {
            case .empty: "the URL is empty"
            case .tooLong: "the URL is longer than \(JobURL.maximumLength) bytes"
            case .several: "this is more than one URL: give each a line of its own"
            case .unparsable: "this is not a URL"
            case .noScheme: "the URL must begin with http:// or https://"
            case .scheme(let scheme): "only http: and https: URLs can be fetched, not \(scheme):"
            case .noHost: "the URL has no host"
            case .hostTooLong: "the host name is longer than \(JobURL.maximumHostLength) bytes"
            }
        }
    }

    /// The longest URL accepted, in bytes; RFC 9110 §4.1 asks for support of at least 8,000.
    public static let maximumLength = 8192

    /// The longest host name in bytes: 255 on the wire, less the first label's length byte and the final
    /// zero (RFC 1035 §2.3.4).
    public static let maximumHostLength = 253

    /// The URL as it is sent, including credentials, so it must never be logged.
    public let text: String
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case, an IPv6 address without brackets.
    public let host: String
    /// The port; the scheme's default if the URL gives none.
    public let port: Int
    /// The URL for people and logs, with a password masked, or a user name that comes without one.
    public let masked: String

    /// Reads a URL as a person would write it.
    ///
    /// Characters that RFC 3986 doesn't allow where they are (accents, spaces, brackets) are
    /// percent-encoded, and so is a percent sign that encodes nothing; what is encoded already stays. A
    /// fragment is dropped, since it is never sent.
    ///
    /// An accepted URL reads the same again from its ``text``. Where Foundation writes something other
    /// than it has read, as for hosts in broken Punycode, the text is refused.
    public init(_ given: String) throws(Refusal) {
        // With its white space: it may be the beginning of something longer, which was cut.
        guard given.utf8.count <= Self.maximumLength else { throw .tooLong }
        try self.init(trimmed: given.trimmed)
    }

    /// Reads a URL of which white space at the ends is a part.
    private init(trimmed given: String) throws(Refusal) {
        guard given.utf8.count <= Self.maximumLength else { throw .tooLong }
        guard !given.isEmpty else { throw .empty }
        if let plain = PlainURL(given) {
            self = try Self(plain, given)
            return
        }
        // A blank in a path is encoded; these would become the path of a URL that nobody has meant.
        guard !given.split(whereSeparator: \.isWhitespace).dropFirst().contains(where: Self.hasScheme) else {
            throw .several
        }
        guard !given.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .unparsable
        }
        // Foundation encodes all of a part that has one character too many, percent signs included.
        let encoded = URLParts(given).encoded.text
        if let plain = PlainURL(encoded) {
            self = try Self(plain, encoded)
            return
        }
        let first = try Self(parsing: encoded)
        guard let second = try? Self(parsing: first.text) else { throw .unparsable }
        if second != first, (try? Self(parsing: second.text)) != second { throw .unparsable }
        self = second
    }

    /// Returns whether a text begins as a URL does that can be fetched.
    private static func hasScheme(_ text: Substring) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    /// The URL of which nothing has to be encoded or masked.
    private init(_ plain: PlainURL, _ text: String) throws(Refusal) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        guard plain.host.utf8.count <= Self.maximumHostLength else { throw .hostTooLong }
        self.text = text
        masked = text
        scheme = plain.scheme
        host = plain.host
        port = plain.port
    }

    private init(parsing given: String) throws(Refusal) {
        guard var parts = URLComponents(string: given) else { throw .unparsable }
        guard let scheme = parts.scheme?.lowercased() else { throw .noScheme }
        guard scheme == "http" || scheme == "https" else {
            // "example.org:8080/a.jpg" parses as a scheme with dots, but a host was meant.
            throw scheme.contains(".") ? .noScheme : .scheme(scheme)
        }
        guard let host = parts.encodedHost, !host.trimmingBrackets().isEmpty else { throw .noHost }
        // Foundation drops a host that it considers too long, and everything after it.
        guard host.utf8.count <= Self.maximumHostLength else { throw .hostTooLong }
        if let port = parts.port, !(1...65535).contains(port) { throw .unparsable }
        parts.scheme = scheme
        parts.fragment = nil
        guard let text = parts.string else { throw .unparsable }
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased().trimmingBrackets()
        self.port = parts.port ?? (scheme == "https" ? 443 : 80)
        // In their encoded form, since what doesn't decode to UTF-8 has no decoded one, and is still a secret.
        // Many services take a user name without a password as a token.
        if parts.percentEncodedPassword?.isEmpty ?? true {
            if parts.percentEncodedUser?.isEmpty == false || parts.percentEncodedPassword != nil {
                parts.percentEncodedUser = "***"
                parts.percentEncodedPassword = nil
            }
        } else {
            parts.percentEncodedPassword = "***"
        }
        self.masked = parts.string ?? "\(scheme)://\(host)"
    }

    /// Keeps a stored URL that can no longer be read.
    ///
    /// It is kept as it is, never fetched, and never shown, since it may contain a password.
    public init(unreadable text: String) {
        self.text = text
        scheme = ""
        host = ""
        port = 0
        masked = "unreadable:url"
    }

    /// An object's URL that has been read.
    init(object text: String, bucket: String) {
        self.text = text
        scheme = "s3"
        host = bucket
        port = 443
        masked = text
    }

    /// True if this URL can be fetched, unlike one made by ``init(unreadable:)``.
    public var isReadable: Bool { !scheme.isEmpty }

    /// The host in the one spelling by which it is known, however the URL has it.
    public var hostName: String { HostSpelling.plain(host) }

    /// The key for the limits per host, and for what is known of it: ``hostName``, a colon and the port.
    public var hostKey: String { "\(hostName):\(port)" }

    /// Returns the name or address in the text of a ``hostKey``, without the port.
    public static func name(ofHostKey key: String) -> String {
        key.lastIndex(of: ":").map { String(key[..<$0]) } ?? key
    }

    /// The scheme, host and port.
    public var origin: URLOrigin { URLOrigin(scheme: scheme, host: host, port: port) }

    /// Returns whether both have the same scheme, host and port.
    public func hasSameOrigin(as other: JobURL) -> Bool { origin == other.origin }

    /// The path, still percent-encoded.
    public var path: String {
        // The text has been checked already, so its parts are where RFC 3986 §3 puts them.
        let afterScheme = text.utf8.dropFirst(scheme.utf8.count + 3)
        let beforeQuery = afterScheme.prefix { $0 != UInt8(ascii: "?") }
        return String(beforeQuery.drop { $0 != UInt8(ascii: "/") }) ?? ""
    }

    /// Resolves a Location header field against this URL (RFC 9110 §10.2.2).
    public func redirected(to location: String) throws(Refusal) -> JobURL {
        guard location.utf8.count <= Self.maximumLength else { throw .tooLong }
        let location = location.trimmed
        guard !location.isEmpty else { throw .empty }
        // What stands ahead of a fragment, which is dropped, belongs to the URL, blanks included.
        return try JobURL(trimmed: URLParts(text).resolving(URLParts(location)).text)
    }
}

extension String {
    fileprivate func trimmingBrackets() -> String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}

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

extension JobURL {
    /// Returns the URL with the credentials of another one, if both have the same scheme, host and port, and this
    /// one has none of its own.
    ///
    /// So they stay with the server that they are for, and go nowhere else.
    public func withCredentials(of other: JobURL) -> JobURL {
        guard hasSameOrigin(as: other), userInformation == nil, let credentials = other.userInformation else {
            return self
        }
        let start = scheme + "://"
        // A URL that would get too long, or unreadable, stays without them.
        return (try? JobURL(start + credentials + "@" + text.dropFirst(start.utf8.count))) ?? self
    }

    /// User and password as they are sent, before the `@`; nil where there is none.
    private var userInformation: String? {
        URLParts(text).authority.map(URLAuthority.init)?.userInformation.map(String.init)
    }
}
