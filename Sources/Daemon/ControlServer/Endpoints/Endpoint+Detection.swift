import ControlAPI

extension Endpoint {
    /// The endpoints of the gate between documents and detectors.
    static let detectionGate = GateJSON.Action.allCases.map { action in
        Endpoint(
            .post,
            PathTemplate("/v1/detection/\(action.rawValue)"),
            id: "\(action.rawValue)Detection",
            action.summary
        ) { server, _ in
            try await server.control.setDetectionGate(open: action.state == .open)
            return GateJSON(gate: .known(action.state))
        }
    }
}

extension GateJSON.Action {
    /// The action's description in the OpenAPI document.
    fileprivate var summary: String {
        switch self {
        case .hold: "Makes documents wait until detection is released."
        case .release: "Lets documents be looked at again, first those that waited, in order."
        }
    }

    /// The position of the gate after the action.
    fileprivate var state: GateJSON.State {
        switch self {
        case .hold: .held
        case .release: .open
        }
    }
}
