import ControlAPI
import HTTPServer
import HTTPTypes
import JobModel
import Vocabulary

/// An admitted request with the values that its endpoint needs.
struct Call: Sendable {
    /// The id in the path; 0 if the path has none.
    private let id: Int64
    /// The name in the path; empty if the path has none.
    let name: String
    /// The parameters' values by name.
    private let values: [String: any Sendable]
    /// Members that the ``JobMeta`` of the jobs of a list has to contain.
    private let meta: [JobFilter.MetaMember]
    /// The body as received.
    let body: [UInt8]
    /// The user who asks, where known.
    let user: UInt32?
    /// True if whoever asks may change things, too.
    let mayChange: Bool
    /// The signal raised when the connection is closed; nil if it is closed already.
    let closed: StopSignal?

    /// Reads all parameters of the endpoint, so that none goes unchecked.
    init(
        _ request: Request,
        _ route: Route,
        body: [UInt8],
        client: Client?,
        closed: StopSignal? = nil
    ) throws(ProblemJSON) {
        let endpoint = route.endpoint
        let query = try Query(request, known: endpoint.queryParameters, families: endpoint.parameterFamilies)
        var values: [String: any Sendable] = [:]
        for parameter in endpoint.parameters {
            let text: String?
            switch parameter.place {
            case .query: text = query[parameter.name]
            case .members: text = nil
            case .header:
                let name = parameter.name.lowercased()
                text = request.headers.first { $0.name.canonicalName == name }?.value
            }
            if let text, let value = try parameter.value(of: text) { values[parameter.name] = value }
        }
        meta = try Parameters.metaMembers(query.members(of: Parameters.meta.name))
        id = route.match.id
        name = route.match.name
        self.values = values
        self.body = body
        user = client?.user
        mayChange = client?.right == .change
        self.closed = closed
    }

    /// The value of a parameter, if it is given.
    subscript<Value>(_ parameter: Parameter<Value>) -> Value? { values[parameter.name] as? Value }

    /// The id in the path as that of a job.
    var job: JobID { JobID(rawValue: id) }
    /// The id in the path as that of a batch.
    var batch: BatchID { BatchID(rawValue: id) }
    /// The page size asked for, or the default; whoever names jobs gets all of them.
    var limit: Int {
        if let limit = self[Parameters.limit] { return Int(limit) }
        return max(Parameters.defaultPageSize, self[Parameters.ids]?.count ?? 0)
    }

    /// The order of a list of jobs.
    var order: JobOrder { self[Parameters.order] ?? .oldest }

    /// True if a filter is given.
    var hasFilter: Bool { filter != JobFilter() }

    /// The filter of a list of jobs.
    var filter: JobFilter {
        var filter = JobFilter()
        filter.state = self[Parameters.state]
        filter.batch = self[Parameters.batch].map(BatchID.init(rawValue:))
        filter.text = self[Parameters.text]
        filter.source = self[Parameters.source]
        filter.minFaces = self[Parameters.minFaces].map { Int($0) }
        filter.outcome = self[Parameters.outcome]
        filter.ids = self[Parameters.ids]
        filter.meta = meta
        return filter
    }

    /// The query for endings; nil if the request asks for a list of jobs.
    var endings: EndingQuery? {
        let endedAfter = self[Parameters.endedAfter]
        let endings = self[Parameters.ending]
        guard endedAfter != nil || endings != nil else { return nil }
        return EndingQuery(
            endings ?? JobEnding.final,
            endedAfter: endedAfter ?? 0,
            filter: filter,
            order: order,
            after: self[Parameters.after],
            limit: limit
        )
    }
}

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
