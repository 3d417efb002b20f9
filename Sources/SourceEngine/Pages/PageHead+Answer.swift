import JobCore
import SourceCore

extension PageHead {
    /// What an answer's head says of its freshness and validation.
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
