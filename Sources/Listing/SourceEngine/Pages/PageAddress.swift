import JobCore
import JobModel
import SourceCore
import Vocabulary

/// A page's URL, and the details of the request for it.
struct PageAddress: Sendable {
    /// The URL with its secrets.
    var url: JobURL
    /// The same for people, and for the page's expressions: secrets unfilled.
    var shown: String
    /// The URL that a bucket's keys are relative to; for other pages, the same as ``shown``.
    let base: String
    /// The variables, secrets included.
    var variables: Variables
    /// The mask that hides the recipe's secrets.
    let mask: SecretMask
    /// Fields for the source's own origin.
    var ownFields: [PageRequest.Field] = []
    /// Fields of a request to a bucket.
    var fields: [PageRequest.Field] = []
    /// The signature of a request to a bucket.
    var signature: RequestSignature?
    /// The body of the request, as JSON; nil for GET.
    var body: String?

    /// The page of a plan.
    init(
        _ plan: PagePlan,
        of recipe: Recipe,
        region: String?,
        secrets: SecretsFolder
    ) throws(SourceFailure) {
        let slice = plan.part.slice
        let texts = secrets.texts(recipe.secrets)
        mask = SecretMask(texts)
        do throws(MissingSecret) {
            variables = try Variables(recipe: recipe, slice: slice, secrets: texts)
        } catch {
            throw Self.missing(error.name, secrets)
        }
        if recipe.kind == .s3, case .pages = plan.part {
            let request = try Self.bucketRequest(plan, of: recipe, region: region, variables, texts, secrets)
            url = try Self.read(request.s3.url)
            base = request.url
            shown = variables.unfilled(request.url)
            fields = request.s3.headers.map { .init(name: $0.name, value: $0.value) }
            signature = request.signature
            return
        }
        let written = Self.written(plan, of: recipe, slice: slice)
        let (values, home) = (variables, recipe.home(variables))
        url = try Self.read(
            try Self.filling { () throws(MissingVariable) in try values.refilled(written) }
        )
        if let secret = values.secrets(in: written).first {
            url = try Self.atHome(url, home, sending: "{\(secret)}")
        }
        // Nor may a page have anything posted to another server, such as one of the network that the daemon is in.
        if recipe.request != nil, !plan.part.isList, case .post(_?, _) = plan.cursor.place {
            let first = try Self.filling { () throws(MissingVariable) in
                try values.refilled(slice?.url ?? recipe.url.text)
            }
            url = try Self.atHome(url, URLOrigin(URLReference(first)), sending: "the request's body")
        }
        shown = variables.unfilled(url.masked)
        base = shown
        guard Self.covers(home, url) else { return }
        ownFields = try Self.fields(of: recipe, plan.part.isList ? nil : slice, variables, texts, secrets)
    }

    /// The recipe's header fields with their values, for a page of a slice, or for what belongs to none.
    ///
    /// There, a variable of the slices has no value, and its field isn't sent.
    static func fields(
        of recipe: Recipe,
        _ slice: Slice?,
        _ variables: Variables,
        _ texts: [String: String],
        _ secrets: SecretsFolder
    ) throws(SourceFailure) -> [PageRequest.Field] {
        var fields: [PageRequest.Field] = []
        for header in recipe.headers {
            let value: String
            switch header.value {
            case .secret(let name):
                guard let text = texts[name] else { throw missing(name, secrets) }
                value = text
            case .text(let template):
                let isWhole = template.names.allSatisfy(variables.hasValue)
                if slice?.variables.isEmpty ?? true, !isWhole { continue }
                value = try filling { () throws(MissingVariable) in try template.filledVerbatim(variables) }
            }
            // A line break would begin a field of its own.
            guard (try? RequestHeader(name: header.name, value: value)) != nil else {
                throw SourceFailure(
                    .noSecret,
                    "the header field \(header.name) can't be sent with this value; check its secret or variable"
                )
            }
            fields.append(.init(name: header.name, value: value))
        }
        return fields
    }

    private static func missing(_ name: String, _ secrets: SecretsFolder) -> SourceFailure {
        SourceFailure(.noSecret, "there is no secret \(name); put it into \(secrets.place)/\(name)")
    }

    private static func filling(
        _ fill: () throws(MissingVariable) -> String
    ) throws(SourceFailure) -> String {
        do throws(MissingVariable) {
            return try fill()
        } catch {
            throw SourceFailure(
                .unexpectedShape,
                "the variable \(error.name) has no value; check slices.vars and vars"
            )
        }
    }

    /// The URL of a plan's page, its variables unfilled.
    private static func written(_ plan: PagePlan, of recipe: Recipe, slice: Slice?) -> String {
        if case .url(let stored) = plan.cursor.place { return stored }
        switch plan.part {
        case .manifest: if let slices = recipe.slices { return slices.url.text }
        case .list: if let slices = recipe.slices?.slices { return slices.url.text }
        case .pages: break
        }
        if case .post(let stored?, _) = plan.cursor.place { return stored }
        return slice?.url ?? recipe.url.text
    }

    private static func covers(_ home: URLOrigin?, _ url: JobURL) -> Bool {
        URLOrigin(URLReference(url.text)).map { home?.covers($0) == true } ?? false
    }

    /// Returns the URL at which a page may be asked for with something, whatever pages say of where it is.
    ///
    /// Servers behind a proxy often name http where they are reached by https.
    private static func atHome(
        _ url: JobURL,
        _ home: URLOrigin?,
        sending something: String
    ) throws(SourceFailure) -> JobURL {
        if covers(home, url) { return url }
        if home?.scheme == "https", let upgraded = try? TransferPolicy(plainHTTP: .upgrade).permitted(url),
            covers(home, upgraded)
        {
            return upgraded
        }
        throw SourceFailure(
            .unexpectedShape,
            "\(something) is only sent to the source's own server, and this page is at \(url.scheme)://\(url.host):"
                + "\(url.port); check the recipe's url, slices and next"
        )
    }

    private static func read(_ text: String) throws(SourceFailure) -> JobURL {
        do throws(JobURL.Refusal) {
            return try JobURL(text)
        } catch {
            throw SourceFailure(.connection, "the page's URL can't be fetched: \(error.message); check url")
        }
    }

    private static func bucketRequest(
        _ plan: PagePlan,
        of recipe: Recipe,
        region: String?,
        _ variables: Variables,
        _ texts: [String: String],
        _ secrets: SecretsFolder
    ) throws(SourceFailure) -> (s3: S3Request, url: String, signature: RequestSignature?) {
        let text = try filling { () throws(MissingVariable) in try recipe.url.filled(variables) }
        guard let location = S3Location(text) else {
            throw SourceFailure(.connection, "the url is no bucket; write it like s3://BUCKET/PREFIX")
        }
        let access = try BucketAccess(recipe, region: region, texts, secrets)
        let position: S3Position? =
            if case .bucket(let position) = plan.cursor.place { position } else { nil }
        let request = S3Request.list(
            location,
            at: position,
            endpoint: access.endpoint,
            signs: access.keys != nil,
            sessionToken: access.keys?.sessionToken
        )
        return (request, text, access.signature(of: request))
    }
}

/// A bucket's server, and with which keys it is asked.
struct BucketAccess: Sendable {
    var endpoint: S3Endpoint
    var keys: S3Keys?

    init(
        _ recipe: Recipe,
        region: String?,
        _ texts: [String: String],
        _ secrets: SecretsFolder
    ) throws(SourceFailure) {
        let settings = recipe.s3 ?? S3Settings()
        endpoint = S3Endpoint(settings)
        if let region { endpoint.region = region }
        guard let credentials = settings.credentials else { return }
        guard let text = texts[credentials.secret] else {
            throw SourceFailure(
                .noSecret,
                "there is no secret \(credentials.secret); put it into \(secrets.place)/\(credentials.secret)"
            )
        }
        guard let keys = S3Keys(text, profile: credentials.profile) else {
            throw SourceFailure(
                .noSecret,
                "the secret \(credentials.secret) has no keys of the profile \(credentials.profile); it is to be "
                    + "a file like ~/.aws/credentials"
            )
        }
        self.keys = keys
    }

    func signature(of request: S3Request) -> RequestSignature? {
        guard let region = request.region, let keys else { return nil }
        return RequestSignature(region: region, keyID: keys.id, key: keys.key)
    }
}
