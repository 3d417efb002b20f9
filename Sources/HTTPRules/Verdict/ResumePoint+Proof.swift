import JobModel

extension ResumePoint {
    /// Returns why a 206 can't be trusted to continue the partial; nil if it can.
    func doubt(about head: ResponseHead) -> String? {
        guard head.isIdentity else {
            return "the server sent the rest with \(head.codingFields)"
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
        // A server that only honours dates has not compared the tag (RFC 9110 §15.3.7 requires it in
        // every such answer).
        if case .entityTag = validator, head.entityTag == nil, head.lastModified != nil {
            return "the server answered with a date when asked about an entity tag"
        }
        // Without a known total, only the validator can prove that it is the same file.
        if total == nil, !validator.isConfirmed(by: head) {
            return "the server didn't say which version of the file it sent"
        }
        return nil
    }

    /// Returns why the server sent the whole file although it was asked for the rest.
    func whyWhole(_ head: ResponseHead) -> String {
        if validator.isContradicted(by: head) { return "the file on the server has changed" }
        if let total, let length = head.contentLength, total != length {
            return "the file has \(length) bytes now, not \(total)"
        }
        return "the server sent the whole file instead of the rest"
    }
}
