import JobModel
import Vocabulary

/// The settings that decide what may be fetched.
public struct TransferPolicy: Hashable, Sendable {
    /// The treatment of `http:` URLs, including those of redirects.
    public var plainHTTP: PlainHTTP
    /// The accepted content types, such as `image/*` or `application/pdf`.
    ///
    /// If empty, every type is accepted.
    public let acceptedTypes: [String]
    /// The Accept field of requests for files.
    public let acceptField: String
    /// True if a body without a type is accepted.
    public var acceptsUntyped: Bool
    /// True if any kind of picture is accepted that is known by its content.
    let acceptsPictures: Bool
    /// The largest file accepted, in bytes; nil for `Job.largestLength`.
    public var maximumLength: Int64?
    /// The most redirects followed for one file.
    public var maximumRedirects: Int
    /// The treatment of redirects from public addresses to private ones.
    public var privateByRedirect: PrivateByRedirect
    /// True if nothing is taken that its server reserves from machine learning (X-Robots-Tag).
    public var respectsReservations = false

    /// The types accepted by default: pictures, and what servers send that don't know the type
    /// (`binary/octet-stream` is S3's).
    public static let defaultAcceptedTypes = ["image/*", "application/octet-stream", "binary/octet-stream"]

    /// Creates a policy; the defaults suit fetching pictures from anywhere.
    public init(
        plainHTTP: PlainHTTP = .allow,
        acceptedTypes: [String] = defaultAcceptedTypes,
        acceptsUntyped: Bool = true,
        maximumLength: Int64? = nil,
        maximumRedirects: Int = 10,
        privateByRedirect: PrivateByRedirect = .refuse
    ) {
        self.plainHTTP = plainHTTP
        let types = acceptedTypes.map { $0.lowercased() }
        self.acceptedTypes = types
        acceptField = Self.acceptField(types)
        acceptsPictures = PictureKind.allCases.contains { Self.accepts($0.mediaType, types) }
        self.acceptsUntyped = acceptsUntyped
        self.maximumLength = maximumLength
        self.maximumRedirects = maximumRedirects
        self.privateByRedirect = privateByRedirect
    }

    /// Returns the URL to fetch in place of this one; throws if none may be fetched.
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

    /// The Accept field (RFC 9110 §12.5.1) of requests for files: the accepted types, and after them
    /// anything else.
    ///
    /// Servers that have a file in several forms then send a picture. Others don't refuse, because many
    /// that have a picture give it a type that says nothing.
    private static func acceptField(_ acceptedTypes: [String]) -> String {
        let types = acceptedTypes.filter { $0.contains("/") && $0 != "*/*" && !$0.hasSuffix("/octet-stream") }
        return (types + [types.isEmpty ? "*/*" : "*/*;q=0.8"]).joined(separator: ", ")
    }

    /// Returns whether a body with this Content-Type field is accepted.
    public func accepts(contentType field: String?) -> Bool {
        let type = field?.mediaType ?? ""
        return type.isEmpty ? acceptsUntyped : Self.accepts(type, acceptedTypes)
    }

    /// Returns whether a body that begins with these bytes is accepted although its type isn't: as a picture of a type
    /// that is.
    public func accepts(firstBytes bytes: some Collection<UInt8>) -> Bool {
        PictureKind(firstBytes: bytes).map { Self.accepts($0.mediaType, acceptedTypes) } ?? false
    }

    private static func accepts(_ type: String, _ acceptedTypes: [String]) -> Bool {
        acceptedTypes.isEmpty
            || acceptedTypes.contains { pattern in
                pattern == type || pattern == "*/*"
                    || (pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast()))
            }
    }
}

extension JobURL {
    /// The same URL with https; an explicit port 80 becomes that of https, any other stays.
    fileprivate var upgraded: JobURL? {
        let rest = text.dropFirst("http".count)
        guard let upgraded = try? JobURL("https" + rest) else { return nil }
        guard upgraded.port == 80 else { return upgraded }
        // An explicit :80 is at the end of the authority, and nothing before the path may contain a
        // slash.
        let authorityEnd = rest.dropFirst(3).firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard rest[..<authorityEnd].hasSuffix(":80") else { return nil }
        let withoutPort = rest[..<authorityEnd].dropLast(3) + rest[authorityEnd...]
        return try? JobURL("https" + withoutPort)
    }
}
