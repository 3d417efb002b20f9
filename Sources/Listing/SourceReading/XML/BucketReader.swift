import SourceCore
import Vocabulary

/// Converts a bucket's listing to `{objects: [{key, etag, size, modified, class, url}]}`.
enum BucketReader {
    /// Reads a listing.
    ///
    /// The bucket's name is taken from the page's own URL, never from the server's answer.
    static func read(
        _ root: XMLElement,
        url: String
    ) throws(ListerFailure) -> (value: Value, bucket: ListedPage.Bucket) {
        guard root.name == "ListBucketResult" else { throw failure(root) }
        let isEncoded = root.value("EncodingType")?.lowercased() == "url"
        // Servers encode a space as + or %20 if they say that keys are encoded.
        func decoded(_ text: String) -> String {
            isEncoded ? PercentEncoding.decode(text, isForm: true) : text
        }
        let bucket = S3Location(url)?.bucket
        var listing = ListedPage.Bucket()
        var objects: [Value] = []
        for entry in root.all("Contents") {
            guard let raw = entry.first("Key")?.text else { continue }
            let key = decoded(raw)
            listing.lastKey = key
            // A folder made by hand, or an empty object, is no picture.
            if key.hasSuffix("/") || entry.value("Size") == "0" { continue }
            objects.append(
                .object([
                    ("key", .text(key)), ("etag", .text((entry.value("ETag") ?? "").filter { $0 != "\"" })),
                    ("size", entry.value("Size").flatMap { Int($0) }.map(Value.number) ?? .null),
                    ("modified", .textOrNull(entry.value("LastModified"))),
                    ("class", .textOrNull(entry.value("StorageClass"))),
                    ("url", .textOrNull(bucket.map { S3Location.objectURL(bucket: $0, key: key) })),
                ])
            )
        }
        listing.isTruncated = root.value("IsTruncated")?.lowercased() == "true"
        listing.nextToken = root.value("NextContinuationToken")
        listing.nextMarker = root.value("NextMarker").map(decoded)
        listing.isFirstVersion = root.first("Marker") != nil && root.first("KeyCount") == nil
        return (.object([("objects", .array(objects))]), listing)
    }

    private static func failure(_ root: XMLElement) -> ListerFailure {
        guard root.name == "Error" else {
            return ListerFailure(
                "unexpected_type",
                "the page is XML, but not a bucket's listing: it begins with <\(root.name)>; check s3.endpoint and s3.style"
            )
        }
        let code = root.value("Code") ?? "no code"
        var failure = ListerFailure("unexpected_status", "the bucket's server answered with \(code)")
        failure.bucketCode = root.value("Code")
        failure.region = root.value("Region")
        failure.excerpt = root.value("Message").map { String($0.prefix(ListerFailure.longestExcerpt)) }
        return failure
    }
}
