import JobModel
import SourceCore

/// The requirements of sources' servers for requests for pictures, besides those of the job.
extension SourceEngine {
    /// A transfer's request as it is to be made: an object in a bucket gets its URL and its signature, and
    /// a picture at the source's own origin the recipe's header fields.
    ///
    /// Nothing of that is ever stored.
    ///
    /// - Throws: what is wrong where the request can't be made.
    public func complete(_ request: TransferRequest) throws(JobFailure) -> TransferRequest {
        guard let name = request.source else { return request }
        guard let source = try? source(name) else {
            guard !unread.contains(name) else {
                throw JobFailure(.sourceUnusable, "the recipe of the source \(name) could not be read yet")
            }
            // Nobody knows what it wants of requests, and where its secrets may go.
            guard unread.refused(name) == nil else {
                throw JobFailure(
                    .sourceUnusable,
                    "the stored recipe of the source \(name) can't be used any more"
                )
            }
            guard request.url.isObject else { return request }
            throw JobFailure(
                .noSource,
                "the source \(name), which knows how to reach the bucket, was removed"
            )
        }
        return try PictureRequests(source: source, secrets: parts.secrets).complete(request)
    }

    /// Returns the mask that hides a source's secrets in servers' answers about its pictures; nil if it has
    /// none.
    func mask(of name: String) -> SecretMask? {
        guard let recipe = try? source(name).recipe, !recipe.secrets.isEmpty else { return nil }
        let mask = SecretMask(parts.secrets.texts(recipe.secrets))
        return mask.isEmpty ? nil : mask
    }
}

extension FailureCode {
    /// The source of the job doesn't say how to reach its server.
    static let noSource = FailureCode(rawValue: "no_source")
}
