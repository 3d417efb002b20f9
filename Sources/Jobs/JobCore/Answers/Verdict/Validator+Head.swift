import JobModel

extension Validator {
    /// Creates the proof that a later resume needs from a response's head; nil if it offers none.
    ///
    /// RFC 9110 §13.1.5 allows a date in If-Range only if the file has no entity tag at all (a weak one
    /// counts) and the date is strong: at least a second before the response's Date (§8.8.2.2), since
    /// the file could otherwise have changed twice within it.
    init?(_ head: ResponseHead) {
        if let field = head.entityTag {
            guard field.utf8.count <= Self.maximumLength, let tag = EntityTag(field), !tag.isWeak else {
                return nil
            }
            self = .entityTag(tag.opaque)
            return
        }
        // None of the formats of §5.6.7 has more than 33 characters.
        guard let field = head.lastModified, field.utf8.count <= 64, let modified = HTTPDate(field),
            let sent = head.date.flatMap(HTTPDate.init), modified.seconds + 1 <= sent.seconds
        else { return nil }
        self = .lastModified(field)
    }

    /// Returns whether a response is about another version of the file.
    ///
    /// A response without the field in question doesn't contradict, since it was asked with If-Range.
    func isContradicted(by head: ResponseHead) -> Bool {
        switch self {
        case .entityTag(let tag):
            // By strong comparison (§8.8.3.2), a weak tag never matches.
            guard let field = head.entityTag else { return false }
            return field != tag
        case .lastModified(let date):
            guard let field = head.lastModified else { return false }
            return field != date && HTTPDate(field) != HTTPDate(date)
        }
    }

    /// Returns whether a response confirms this version of the file.
    func isConfirmed(by head: ResponseHead) -> Bool {
        switch self {
        case .entityTag: head.entityTag != nil && !isContradicted(by: head)
        case .lastModified: head.lastModified != nil && !isContradicted(by: head)
        }
    }
}

/// An entity tag (RFC 9110 §8.8.3).
private struct EntityTag: Hashable, Sendable {
    /// The tag including its quotes, without `W/`.
    let opaque: String
    /// True if the tag is weak (`W/"…"`): two equal weak tags say nothing about single bytes.
    let isWeak: Bool

    /// Parses a field value; nil if it isn't an entity tag.
    init?(_ field: String) {
        var tag = Substring(field)
        isWeak = tag.hasPrefix("W/")
        if isWeak { tag = tag.dropFirst(2) }
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
            // The grammar's etagc excludes quotes, white space and control characters.
            bytes.dropFirst().dropLast().allSatisfy({ $0 >= 0x21 && $0 != 0x22 && $0 != 0x7F })
        else { return nil }
        opaque = String(tag)
    }
}
