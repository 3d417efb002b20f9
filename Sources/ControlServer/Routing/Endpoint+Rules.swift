import ControlAPI

extension Endpoint {
    /// Everything that can be asked of the control socket, in the order of the document.
    static let all = batches + jobs + steering + detectionGate + about

    /// True for what may change something; the others only look.
    var changesThings: Bool { method != .get }

    /// True where a HEAD is answered, too: the stream of events has no whole answer to leave out.
    var answersHead: Bool {
        if case .reply = handler { method == .get } else { false }
    }

    /// The names of the query parameters that it reads.
    var queryParameters: Set<String> {
        Set(parameters.filter { $0.place == .query }.map(\.name))
    }

    /// The statuses of all that can go wrong, in order.
    var problemStatuses: [Int] {
        var codes: [ProblemCode] = [
            .malformedRequest, .forbiddenOrigin, .bodyTooLarge, .headerTooLarge, .internalError,
        ]
        if body != nil { codes += [.unsupportedMediaType, .invalidRequest] }
        if changesThings { codes += [.stopping, .outOfSpace] }
        return Set((codes + ownProblems).map(\.status)).sorted()
    }
}
