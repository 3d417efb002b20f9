/// The settings that verdicts follow: what may be fetched at all.
public struct TransferPolicy: Hashable, Sendable {
    /// The treatment of URLs that would be fetched without TLS.
    public enum PlainHTTP: String, Hashable, Sendable {
        /// It is fetched.
        case allow
        /// Its https counterpart is fetched.
        case upgrade
        /// It is refused.
        case refuse
    }

    /// The treatment of redirects from a public address to a private one, which nobody typed.
    public enum PrivateByRedirect: String, Hashable, Sendable {
        /// It is refused.
        case refuse
        /// It is followed.
        case allow
    }

    /// What is done with `http:` URLs, redirects to them included.
    public var plainHTTP: PlainHTTP
    /// The types of body that are taken, as `image/*` or `application/pdf`.
    ///
    /// Empty takes every type.
    public var acceptedTypes: [String]
    /// Whether a body without a type is taken.
    public var acceptsUntyped: Bool
    /// The largest file that can be, in bytes: 1 EiB, so that sums of some lengths are numbers still.
    public static let largestLength: Int64 = 1 << 60

    /// The largest file that is taken, in bytes; nil takes any up to ``largestLength``.
    public var maximumLength: Int64?
    /// The most redirects followed for one file.
    public var maximumRedirects: Int
    /// What is done with redirects from public addresses to private ones.
    public var privateByRedirect: PrivateByRedirect
    /// The content codings, in lower case, that who fetches undoes.
    public var undoneCodings: Set<String> = ["gzip", "x-gzip", "deflate"]

    /// The types taken unless somebody says otherwise: pictures, and what
    /// servers send that don't know what they have (`binary/octet-stream` is S3's).
    public static let defaultAcceptedTypes = ["image/*", "application/octet-stream", "binary/octet-stream"]

    /// A policy; by default what suits fetching pictures from anywhere.
    public init(
        plainHTTP: PlainHTTP = .allow,
        acceptedTypes: [String] = defaultAcceptedTypes,
        acceptsUntyped: Bool = true,
        maximumLength: Int64? = nil,
        maximumRedirects: Int = 10,
        privateByRedirect: PrivateByRedirect = .refuse
    ) {
        self.plainHTTP = plainHTTP
        self.acceptedTypes = acceptedTypes.map { $0.lowercased() }
        self.acceptsUntyped = acceptsUntyped
        self.maximumLength = maximumLength
        self.maximumRedirects = maximumRedirects
        self.privateByRedirect = privateByRedirect
    }

    /// The URL that may be fetched in place of this one; throws where none may.
    public func permitted(_ url: JobURL) throws(JobFailure) -> JobURL {
        guard url.scheme == "http" else { return url }
        switch plainHTTP {
        case .allow:
            return url
        case .refuse:
            throw JobFailure(
                .refusedScheme,
                "plain http is not allowed here (transfer.insecure-http): \(url.masked)"
            )
        case .upgrade:
            guard let upgraded = url.upgraded else {
                throw JobFailure(
                    .refusedScheme,
                    "plain http is upgraded to https here (transfer.insecure-http), which this URL does not allow: \(url.masked)"
                )
            }
            return upgraded
        }
    }

    /// Whether a body with this Content-Type field is taken.
    func accepts(contentType field: String?) -> Bool {
        let type = field?.prefix { $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }.lowercased() ?? ""
        guard !type.isEmpty else { return acceptsUntyped }
        return acceptedTypes.isEmpty
            || acceptedTypes.contains { pattern in
                pattern == type || pattern == "*/*"
                    || (pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast()))
            }
    }
}

extension JobURL {
    /// The same under https; an explicit port 80 becomes https's own, any other stays.
    fileprivate var upgraded: JobURL? {
        let rest = text.dropFirst("http".count)
        guard let upgraded = try? JobURL("https" + rest) else { return nil }
        guard upgraded.port == 80 else { return upgraded }
        // An explicit :80 ends the authority; nothing before the path may hold a slash.
        let authorityEnd = rest.dropFirst(3).firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard rest[..<authorityEnd].hasSuffix(":80") else { return nil }
        let withoutPort = rest[..<authorityEnd].dropLast(3) + rest[authorityEnd...]
        return try? JobURL("https" + withoutPort)
    }
}
