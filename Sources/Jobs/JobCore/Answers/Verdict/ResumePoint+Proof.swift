import JobModel
import Vocabulary

extension ResumePoint {
    /// Returns why a 206 can't be trusted to continue the partial; nil if it can.
    func doubt(about head: ResponseHead, from url: JobURL) -> String? {
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
        return doubt(aboutVersionOf: head, from: url)
    }

    /// Returns why an answer may be about another version of the file than the partial's; nil if it can't.
    ///
    /// A field that is missing proves nothing: a server that ignores If-Range sends a part of what it has now.
    func doubt(aboutVersionOf head: ResponseHead, from url: JobURL) -> String? {
        if validator.isContradicted(by: head) { return "the file on the server has changed" }
        guard validator.isConfirmed(by: head) else {
            return "the server didn't say which version of the file it sent"
        }
        // Two servers may have two versions of one second (RFC 9110 §8.8.2.2 speaks of one server's clock).
        if case .lastModified = validator, let host, host != url.hostKey {
            return "another server answered, and a date doesn't prove that it has the same file"
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
