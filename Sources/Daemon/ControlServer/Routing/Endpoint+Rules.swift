import ControlAPI

extension Endpoint {
    /// All endpoints of the control socket, in the order of the OpenAPI document.
    static let all =
        batches + batchSteering + jobs + likeness + documents + steering + forgetting + attention + sources
        + handing + detectionGate + hosts + about

    /// True if the endpoint may change something; all others only read.
    var changesThings: Bool { method != .get }

    /// True if the endpoint also answers HEAD, which the event stream doesn't because it has no complete
    /// answer.
    var answersHead: Bool {
        switch handler {
        case .reply, .document, .picture: method == .get
        case .eventStream: false
        }
    }

    /// The names of the query parameters that the endpoint reads.
    var queryParameters: Set<String> {
        Set(parameters.filter { $0.place != .header }.map(\.name))
    }

    /// The names of those that stand for any name that begins with them and a dot.
    var parameterFamilies: Set<String> {
        Set(parameters.filter { $0.place == .members }.map(\.name))
    }

    /// The statuses of all possible problems, in ascending order.
    var problemStatuses: [Int] {
        var codes: [ProblemCode] = [
            .malformedRequest, .forbiddenOrigin, .bodyTooLarge, .headerTooLarge, .internalError,
        ]
        if body != nil { codes += [.unsupportedMediaType, .invalidRequest] }
        if changesThings { codes += [.stopping, .outOfSpace] }
        return Set((codes + ownProblems).map(\.status)).sorted()
    }
}
