import Vocabulary

/// A request to the daemon.
struct HTTPRequest: Hashable, Sendable {
    /// `GET`, `POST` or `PATCH`.
    var method: String
    /// The path and query, from `/v1` on.
    var target: String
    /// The header fields as `Name: value`.
    var headers: [String]
    /// The body of the request.
    var body: [UInt8]?
    /// The media type of that.
    var type = "application/json"

    /// Creates a request, which sends and accepts JSON.
    init(
        _ method: String = "GET",
        _ target: String,
        query: [(name: String, value: String?)] = [],
        headers: [String] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        let pairs = query.compactMap { name, value in
            value.map { "\(name.percentEncoded)=\($0.percentEncoded)" }
        }
        self.target = pairs.isEmpty ? target : "\(target)?\(pairs.joined(separator: "&"))"
        self.headers = headers
        self.body = body
    }

    /// A request that sends a recipe, YAML or JSON, which is a part of it.
    init(
        _ method: String,
        _ target: String,
        query: [(name: String, value: String?)] = [],
        recipe: String
    ) {
        self.init(method, target, query: query, body: Array(recipe.utf8))
        type = "application/yaml"
    }
}

extension String {
    /// The text with everything but RFC 3986's unreserved characters (§2.3) percent-encoded.
    var percentEncoded: String { PercentEncoding.encode(self) }
}
