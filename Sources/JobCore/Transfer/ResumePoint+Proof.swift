extension ResumePoint {
    /// Whether nothing is left to ask for: the partial is as long as the file.
    public var isComplete: Bool { offset == total }

    /// Why a 206 can't be believed to go on where the partial ends; nil where it can.
    func doubt(about head: ResponseHead) -> String? {
        guard head.isIdentity else {
            return "the server sent the rest with a Content-Encoding, \(head.contentEncoding?.excerpt ?? "")"
        }
        if let type = head.contentType, type.lowercased().hasPrefix("multipart/byteranges") {
            return "the server sent several parts in one response"
        }
        guard let field = head.contentRange else { return "the server didn't say which part it sent" }
        guard let range = ContentRange(field), let bounds = range.bounds else {
            return "the server sent a Content-Range that makes no sense"
        }
        guard bounds.lowerBound == offset else {
            return "the server sent the bytes from \(bounds.lowerBound) on instead of those from \(offset) on"
        }
        guard let length = range.total else { return "the server didn't say how long the file is" }
        if let total, total != length { return "the file has \(length) bytes now, not \(total)" }
        if let announced = head.contentLength, announced != bounds.upperBound - bounds.lowerBound + 1 {
            return "the server announced \(announced) bytes for a part of another length"
        }
        if validator.isContradicted(by: head) { return "the file on the server has changed" }
        // Whoever honours only dates has not compared the tag (RFC 9110 §15.3.7 has it in every such answer).
        if case .entityTag = validator, head.entityTag == nil, head.lastModified != nil {
            return "the server answered with a date when asked about an entity tag"
        }
        // With no total of our own, only the validator is left to prove it is the same file.
        if total == nil, !validator.isConfirmed(by: head) {
            return "the server didn't say which version of the file it sent"
        }
        return nil
    }

    /// Why the server sent the whole file though asked for the rest.
    func whyWhole(_ head: ResponseHead) -> String {
        if validator.isContradicted(by: head) { return "the file on the server has changed" }
        if let total, let length = head.contentLength, total != length {
            return "the file has \(length) bytes now, not \(total)"
        }
        return "the server sent the whole file instead of the rest"
    }
}
