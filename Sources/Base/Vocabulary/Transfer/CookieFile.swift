/// Cookies of a file as Netscape's browser kept them, cookies.txt, which browsers' extensions and curl write.
///
/// Each line has seven fields with tabs between them: domain, TRUE if the cookie is for all hosts under it, path, TRUE
/// if it is for https alone, the time at which it expires in seconds since 1970 (0 at the end of a session), name and
/// value. A line that begins with `#HttpOnly_` is a cookie's as well; any other that begins with `#` is a comment.
public struct CookieFile: Hashable, Sendable {
    /// A cookie.
    public struct Cookie: Hashable, Sendable {
        /// The host or domain in lower case, without a dot in front.
        public let domain: String
        /// True if it is for all hosts under the domain, too.
        public let isForSubdomains: Bool
        /// The path under which it is sent.
        public let path: String
        /// True if it is for https alone.
        public let isSecure: Bool
        /// The time at which it expires, in seconds since 1970; 0 for the end of a session.
        public let expires: Int64
        /// The name.
        public let name: String
        /// The value, which is a secret.
        public let value: String
    }

    /// The reason why a text is no such file; no value is in it.
    public struct Wrong: Error, Hashable, Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// The reason, as a clause without the line.
        public let words: String
    }

    /// The longest file in bytes.
    public static let maximumLength = 1 << 20
    /// The most cookies that a file may have, as many as browsers keep at least (RFC 6265 §6.1).
    public static let maximumCount = 3000
    /// The most bytes of a name and its value together (RFC 6265 §6.1).
    public static let maximumPair = 4096

    /// The cookies in the order of the file.
    public private(set) var cookies: [Cookie] = []

    /// Reads a file.
    public init(_ bytes: some Collection<UInt8>) throws(Wrong) {
        guard bytes.count <= Self.maximumLength else {
            throw Wrong(line: 1, words: "a file of cookies has at most \(Self.maximumLength) bytes")
        }
        // A byte-order mark belongs to no field.
        let text = Array(bytes).dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = line.last == 0x0D ? line.dropLast() : line
            do throws(Refusal) {
                guard let cookie = try Cookie(line: String(decoding: line, as: UTF8.self)) else { continue }
                cookies.append(cookie)
            } catch {
                throw Wrong(line: index + 1, words: error.words)
            }
            guard cookies.count <= Self.maximumCount else {
                throw Wrong(line: index + 1, words: "there are more than \(Self.maximumCount) cookies")
            }
        }
    }

    /// The reason why a line is no cookie's.
    struct Refusal: Error { let words: String }
}

extension CookieFile.Cookie {
    /// Reads a line of a file; nil for one without a cookie.
    init?(line: String) throws(CookieFile.Refusal) {
        var line = line[...]
        if line.hasPrefix("#HttpOnly_") {
            line = line.dropFirst(10)
        } else if line.hasPrefix("#") {
            return nil
        }
        guard line.contains(where: { !$0.isWhitespace }) else { return nil }
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        // Where the value is empty, some leave out the tab in front of it.
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7 else {
            throw .init(words: "this is no cookie, which has seven fields with tabs between them")
        }
        let domain = fields[0].lowercased().drop { $0 == "." }
        guard !domain.isEmpty, domain.utf8.count <= JobURL.maximumHostLength,
            domain.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw .init(words: "the first field of a cookie is the host that it is for") }
        guard let isForSubdomains = Self.flag(fields[1]) else {
            throw .init(words: "the second field of a cookie is TRUE or FALSE")
        }
        guard fields[2].hasPrefix("/"), Self.isPlain(fields[2]) else {
            throw .init(words: "the third field of a cookie is a path that begins with /")
        }
        guard let isSecure = Self.flag(fields[3]) else {
            throw .init(words: "the fourth field of a cookie is TRUE or FALSE")
        }
        // Some write fractions of seconds.
        guard let time = Double(fields[4]), time.isFinite, let expires = Int64(exactly: time.rounded(.down)),
            expires >= 0
        else {
            throw .init(words: "the fifth field of a cookie is when it expires, in seconds since 1970, or 0")
        }
        guard !fields[5].isEmpty, Self.isPlain(fields[5]), !fields[5].contains("="), Self.isPlain(fields[6]),
            fields[5].utf8.count + fields[6].utf8.count <= CookieFile.maximumPair
        else {
            throw .init(
                words: "the last fields of a cookie are its name and its value, of at most "
                    + "\(CookieFile.maximumPair) bytes, without semicolons or control characters"
            )
        }
        self.init(
            domain: String(domain),
            isForSubdomains: isForSubdomains,
            path: fields[2],
            isSecure: isSecure,
            expires: expires,
            name: fields[5],
            value: fields[6]
        )
    }

    private static func flag(_ text: String) -> Bool? {
        switch text.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") }
    }
}
