import JobCore
import SourceCore

/// What the servers of sources want of requests for pictures, besides what a job has.
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
            guard request.url.isObject else { return request }
            throw JobFailure(
                .noSource,
                "the source \(name), which knows how to reach the bucket, was removed"
            )
        }
        do throws(SourceFailure) {
            return request.url.isObject
                ? try object(request, of: source) : try withFields(request, of: source)
        } catch {
            throw JobFailure(.noSource, error.message)
        }
    }

    private func object(
        _ request: TransferRequest,
        of source: SourceSnapshot
    ) throws(SourceFailure) -> TransferRequest {
        let recipe = source.recipe
        let access = try BucketAccess(
            recipe,
            region: source.state.region,
            parts.secrets.texts(recipe.secrets),
            parts.secrets
        )
        let object = S3Request.object(
            bucket: request.url.host,
            key: PercentEncoding.decode(request.url.path.dropFirst()),
            endpoint: access.endpoint,
            signs: access.keys != nil,
            sessionToken: access.keys?.sessionToken
        )
        var completed = request
        guard let url = try? JobURL(object.url) else {
            throw SourceFailure(.connection, "the object's URL can't be fetched; check s3.endpoint")
        }
        completed.url = url
        completed.isObject = true
        completed.signature = access.signature(of: object)
        completed.headers += object.headers.compactMap { try? RequestHeader(name: $0.name, value: $0.value) }
        return completed
    }

    private func withFields(
        _ request: TransferRequest,
        of source: SourceSnapshot
    ) throws(SourceFailure) -> TransferRequest {
        let recipe = source.recipe
        guard !recipe.secrets.isEmpty || !recipe.headers.isEmpty else { return request }
        let texts = parts.secrets.texts(recipe.secrets)
        guard let variables = try? Variables(recipe: recipe, slice: nil, secrets: texts),
            let home = recipe.home(variables), let target = Origin(URLReference(request.url.text)),
            home.covers(target)
        else { return request }
        var completed = request
        // What was stored of the URL has no secrets.
        let filled = variables.refilledItem(request.url.text)
        if filled != request.url.text, let url = try? JobURL(filled) { completed.url = url }
        for field in try PageAddress.fields(of: recipe, nil, variables, texts, parts.secrets) {
            if let header = try? RequestHeader(name: field.name, value: field.value) {
                completed.headers.append(header)
            }
        }
        return completed
    }
}

extension FailureCode {
    /// The source of the job doesn't say how to reach its server.
    static let noSource = FailureCode(rawValue: "no_source")
}
