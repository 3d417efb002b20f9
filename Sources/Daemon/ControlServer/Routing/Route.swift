import HTTPTypes

/// The endpoint that a request asks for, with the id in its path.
struct Route: Sendable {
    /// The endpoint.
    let endpoint: Endpoint
    /// The open components of the path, filled in.
    let match: PathTemplate.Match

    /// Returns the routes of a path in the order of the rows; none if the path doesn't exist.
    static func all(at path: String) -> [Route] {
        let parts = PathTemplate.parts(of: path[...])
        return Endpoint.all.compactMap { endpoint in
            endpoint.path.match(parts).map { Route(endpoint: endpoint, match: $0) }
        }
    }
}
