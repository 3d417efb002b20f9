import SourceCore

/// The bucket of a fleet's documents, and who may write there.
struct BucketSettings: Hashable, Sendable, CustomStringConvertible {
    /// The bucket's name.
    var name: String
    /// The beginning of all keys; empty, or ending in a slash.
    var prefix = ""
    /// The server.
    var endpoint: S3Endpoint
    /// The keys that requests are signed with.
    var keys: S3Keys
    /// The most documents that are uploaded at once.
    var uploads = 8

    /// The range of ``uploads``.
    static let uploads = 1...64

    /// The name alone: the rest holds a secret.
    var description: String { name }
}
