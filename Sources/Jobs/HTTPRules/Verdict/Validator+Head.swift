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
