import JobModel
import Vocabulary

extension ServerResponse {
    /// Creates what is kept of an answer.
    init(_ head: ResponseHead, from url: JobURL, at time: Timestamp) {
        self.init(
            finalURL: url.masked,
            status: head.status,
            contentType: head.contentType,
            // None of the formats of RFC 9110 §5.6.7 has more than 33 characters.
            lastModified: head.lastModified.flatMap { $0.utf8.count <= 64 ? HTTPDate($0) : nil }
                .map { Timestamp(stored: $0.seconds * 1_000_000) },
            entityTag: head.entityTag,
            robots: head.robots.isEmpty ? nil : head.robots.joined(separator: ", "),
            receivedAt: time
        )
    }
}
