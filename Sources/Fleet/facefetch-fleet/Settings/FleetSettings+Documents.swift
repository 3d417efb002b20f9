import FleetCore
import SourceCore
import Vocabulary

extension FleetSettings {
    /// Reads where documents are.
    static func place(
        _ values: [String: String],
        node: String,
        path: String
    ) throws(FleetFailure) -> (DocumentPlace, BucketSettings?) {
        let kind = values["documents"] ?? "local"
        for key in values.keys.sorted() {
            guard let needed = key == "documents-path" ? "path" : key.hasPrefix("s3-") ? "s3" : nil,
                needed != kind
            else { continue }
            throw bad(path, "\(key) is only for documents: \(needed)")
        }
        switch kind {
        case "local": return (.local(node: node), nil)
        case "path":
            guard let folder = values["documents-path"], folder.hasPrefix("/") else {
                throw bad(
                    path,
                    "documents: path needs documents-path, the absolute path of the shared folder"
                )
            }
            let end = folder.lastIndex { $0 != "/" } ?? folder.startIndex
            return (.shared(folder: String(folder[...end])), nil)
        case "s3":
            let bucket = try bucket(values, path: path)
            return (.bucket(bucket.name, prefix: bucket.prefix), bucket)
        default: throw bad(path, "documents must be local, path or s3, not \(kind)")
        }
    }

    /// Returns whether a text is only of characters that stand for themselves in URLs, and slashes.
    private static func isPlain(_ text: String) -> Bool { PercentEncoding.encode(text, keeping: "/") == text }

    private static func bucket(
        _ values: [String: String],
        path: String
    ) throws(FleetFailure) -> BucketSettings {
        guard let name = values["s3-bucket"], let location = S3Location("s3://\(name)/"),
            location.bucket == name
        else { throw bad(path, "documents: s3 needs s3-bucket, the name of a bucket") }
        var server = S3Settings()
        if let region = values["s3-region"] {
            guard isPlain(region), !region.isEmpty else {
                throw bad(path, "s3-region must be a word such as eu-central-1")
            }
            server.region = region.lowercased()
        }
        if let text = values["s3-endpoint"] {
            let url = URLReference(text)
            guard url.isBase else {
                throw bad(path, "s3-endpoint must be an http or https URL, such as https://s3.example.org")
            }
            server.endpoint = url
        }
        guard let file = values["s3-credentials"] else {
            throw bad(path, "documents: s3 needs s3-credentials, a file in the form of ~/.aws/credentials")
        }
        guard let keys = S3Keys(try read(file, isSecret: true), profile: "default") else {
            throw bad(file, "this has no aws_access_key_id and aws_secret_access_key under [default]")
        }
        var bucket = BucketSettings(name: name, endpoint: S3Endpoint(server), keys: keys)
        if let prefix = values["s3-prefix"] {
            let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
            guard isPlain(prefix), prefix.hasSuffix("/"),
                parts.dropLast().allSatisfy({ !["", ".", ".."].contains($0) })
            else {
                throw bad(
                    path,
                    "s3-prefix must be letters, digits and -._~ in parts that end in a slash, such as a/b/"
                )
            }
            bucket.prefix = prefix
        }
        if let text = values["s3-uploads"] {
            guard let uploads = Int(text), BucketSettings.uploads.contains(uploads) else {
                throw bad(path, "s3-uploads must be a number from 1 to 64")
            }
            bucket.uploads = uploads
        }
        return bucket
    }
}
