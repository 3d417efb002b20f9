import ListerProtocol
import SourceCore

extension S3Listing {
    /// What a lister has read of a bucket's page.
    public init(_ bucket: ListedPage.Bucket) {
        self.init()
        isTruncated = bucket.isTruncated
        nextToken = bucket.nextToken
        nextMarker = bucket.nextMarker
        isFirstVersion = bucket.isFirstVersion
        lastKey = bucket.lastKey
    }
}
