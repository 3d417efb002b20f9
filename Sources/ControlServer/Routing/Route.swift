import HTTPTypes

/// An endpoint that a request asks for, with the id in its path.
struct Route: Sendable {
    /// What is asked for.
    let endpoint: Endpoint
    /// The id in the path; 0 where the path has none.
    let id: Int64

    /// What a path offers, in the order of the rows; nothing where there is no such path.
    static func all(at path: String) -> [Route] {
        let parts = PathTemplate.parts(of: path[...])
        return Endpoint.all.compactMap { endpoint in
            endpoint.path.match(parts).map { Route(endpoint: endpoint, id: $0) }
        }
    }
}
