import JobModel
import SourceCore
import Vocabulary

/// Makes requests for a source's pictures as its server wants them.
struct PictureRequests: Sendable {
    let source: SourceSnapshot
    let secrets: SecretsFolder

    /// A transfer's request as it is to be made: an object in a bucket gets its URL and its signature, and
    /// a picture at the source's own origin the recipe's header fields.
    ///
    /// Nothing of that is ever stored.
    ///
    /// - Throws: what is wrong where the request can't be made.
    func complete(_ request: TransferRequest) throws(JobFailure) -> TransferRequest {
        do throws(SourceFailure) {
            return request.url.isObject
                ? try object(request) : try withFields(request)
        } catch {
            throw JobFailure(.noSource, error.message)
        }
    }

    private func object(_ request: TransferRequest) throws(SourceFailure) -> TransferRequest {
        let recipe = source.recipe
        let access = try BucketAccess(
            recipe,
            region: source.state.region,
            secrets.texts(recipe.secrets),
            secrets
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

    private func withFields(_ request: TransferRequest) throws(SourceFailure) -> TransferRequest {
        let recipe = source.recipe
        guard !recipe.secrets.isEmpty || !recipe.headers.isEmpty else { return request }
        let texts = secrets.texts(recipe.secrets)
        guard let variables = try? Variables(recipe: recipe, slice: nil, secrets: texts),
            let home = recipe.home(variables), let target = URLOrigin(URLReference(request.url.text)),
            home.covers(target)
        else { return request }
        var completed = request
        // The stored URL has no secrets.
        let filled = variables.refilledItem(request.url.text)
        if filled != request.url.text, let url = try? JobURL(filled) { completed.url = url }
        for field in try PageAddress.fields(of: recipe, nil, variables, texts, secrets) {
            if let header = try? RequestHeader(name: field.name, value: field.value) {
                completed.headers.append(header)
            }
        }
        return completed
    }
}
