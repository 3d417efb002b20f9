/// The settings that decide how documents look to people: `documents.times` and `documents.extensions`.
public struct DocumentRules: Hashable, Sendable {
    /// True if a document has the server's time of modification, where there is one; otherwise that of its arrival.
    public var usesServerTimes: Bool
    /// True if a name's extension follows the content, unless a person gave the name.
    public var adjustsExtensions: Bool

    public init(usesServerTimes: Bool = true, adjustsExtensions: Bool = true) {
        self.usesServerTimes = usesServerTimes
        self.adjustsExtensions = adjustsExtensions
    }
}

/// The traits that a document is to have besides its content and its wanted name.
public struct DocumentTraits: Hashable, Sendable {
    /// The server's statements about it; nil if they aren't known.
    @Boxed public var response: ServerResponse?
    /// Its time of modification, in seconds since 1970; nil for that of its arrival.
    public var modified: Int64?
    /// True if its name gets the extension of its content (``DocumentName/adjusted(_:to:)``).
    public var adjustsExtension: Bool

    public init(
        response: ServerResponse? = nil,
        modified: Int64? = nil,
        adjustsExtension: Bool = true
    ) {
        self.response = response
        self.modified = modified
        self.adjustsExtension = adjustsExtension
    }

    /// Returns the name for a document that begins with these bytes.
    public func name(_ wanted: String, firstBytes: some Collection<UInt8>) -> String {
        guard adjustsExtension, let kind = PictureKind(firstBytes: firstBytes) else { return wanted }
        return DocumentName.adjusted(wanted, to: kind)
    }
}
