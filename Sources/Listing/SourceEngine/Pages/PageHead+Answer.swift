import JobCore
import JobModel
import SourceCore

extension PageHead {
    /// Creates a head from an answer's fields about freshness and validation.
    init(_ answer: PageAnswer) {
        self.init()
        cacheControl = answer.values("cache-control")
        etag = answer.values("etag").first
        lastModified = answer.values("last-modified").first
        age = answer.values("age").first
        expires = answer.seconds("expires")
        date = answer.seconds("date")
        vary = answer.values("vary")
    }
}
