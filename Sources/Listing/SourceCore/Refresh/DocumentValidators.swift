/// The known version of a fetched picture, with which its server is asked whether it has another one.
public struct DocumentValidators: Hashable, Sendable {
    /// The ETag field verbatim, even if weak: If-None-Match compares weakly (RFC 9110 §13.1.2).
    public var entityTag: String?
    /// The Last-Modified field verbatim.
    public var lastModified: String?
    /// The length of the file in bytes.
    public var length: Int64?

    /// Creates validators; nil for what isn't known.
    ///
    /// Fields that could not be sent back as they are don't count.
    public init(entityTag: String? = nil, lastModified: String? = nil, length: Int64? = nil) {
        self.entityTag = entityTag.flatMap(Self.field)
        self.lastModified = lastModified.flatMap(Self.field)
        self.length = length
    }

    /// The header fields that make a request conditional.
    ///
    /// Both are sent; a server that supports entity tags goes by those (RFC 9110 §13.1.3).
    public var fields: [(name: String, value: String)] {
        [("If-None-Match", entityTag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    /// Returns whether these and others can't be of one version.
    ///
    /// The best that both sides have decides: the entity tag; the date and the length; the length. If they
    /// have nothing in common, nothing speaks against one version.
    public func contradict(_ other: DocumentValidators) -> Bool {
        if let tag = entityTag, let another = other.entityTag {
            return Self.opaque(tag) != Self.opaque(another)
        }
        if let date = lastModified, let another = other.lastModified, date != another { return true }
        if let length, let another = other.length { return length != another }
        return false
    }

    /// Returns the validators after an answer that says that nothing has changed, whose fields are newer
    /// (RFC 9111 §4.3.4).
    public func updated(by answer: DocumentValidators) -> DocumentValidators {
        var updated = self
        updated.entityTag = answer.entityTag ?? entityTag
        updated.lastModified = answer.lastModified ?? lastModified
        updated.length = answer.length ?? length
        return updated
    }

    /// An entity tag without the mark of a weak one.
    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }

    private static func field(_ text: String) -> String? {
        let isField =
            !text.isEmpty && text.utf8.count <= 1024
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isField ? text : nil
    }
}
